import { JobHandler, type JobHandlerContract } from '../../src/jobs/job-handler.js';

/** A handler of jobs of kind `test` that does what a test says, and else ends each as created. */
@JobHandler({ kind: 'test', outcomes: ['created', 'noop'] })
export class ScriptedHandler implements JobHandlerContract {
  gather: JobHandlerContract['gather'] = nothing;
  commit: JobHandlerContract['commit'] = created;

  reset(): void {
    this.gather = nothing;
    this.commit = created;
  }
}

const nothing = (): Promise<void> => Promise.resolve();
const created: JobHandlerContract['commit'] = () => Promise.resolve({ outcome: 'created', note: '' });
