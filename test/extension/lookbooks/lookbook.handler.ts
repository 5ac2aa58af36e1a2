import { JobError } from '../../../src/jobs/job-error.js';
import {
  type ClaimedJob,
  type GatherContext,
  JobHandler,
  type JobHandlerContract,
  type Settlement,
} from '../../../src/jobs/job-handler.js';
import { type Lookbook, LookbookIntakeType } from './lookbook.intake-type.js';

/** Files a lookbook: looks through it page by page, and refuses an empty one for good. */
@JobHandler({ kind: 'lookbook', outcomes: ['filed'] })
export class LookbookHandler implements JobHandlerContract<Lookbook> {
  constructor(private readonly type: LookbookIntakeType) {}

  gather(job: ClaimedJob, { signal, progress }: GatherContext): Promise<Lookbook> {
    const { data } = JSON.parse(job.payload) as { data: unknown };
    const { value } = this.type.normalise(data);
    if (value.pages === 0) throw JobError.permanent('lookbook_empty', `The lookbook "${value.title}" has no pages.`);
    for (let page = 1; page <= value.pages; page++) {
      signal.throwIfAborted();
      progress(page, value.pages);
    }
    return Promise.resolve(value);
  }

  commit({ pages }: Lookbook): Promise<Settlement> {
    return Promise.resolve({ outcome: 'filed', note: `${pages} pages` });
  }
}
