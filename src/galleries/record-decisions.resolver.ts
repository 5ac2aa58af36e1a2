import { Args, ID, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import type { UpdateRecord } from '../jobs/update-records.service.js';
import { decimalId } from '../lib/decimal-id.js';
import { RecordDecisions } from './record-decisions.service.js';
import { RecordOverridesInput } from './record-overrides.type.js';
import { RecordRetry } from './record-retry.service.js';

const RECORD_ID = { type: () => ID, description: 'The update record' };

/** What editors decide about update records. */
@Resolver()
@Requires('editor')
export class RecordDecisionsResolver {
  constructor(
    private readonly retries: RecordRetry,
    private readonly decisions: RecordDecisions,
  ) {}

  @Mutation(() => UpdateRecordType, {
    description:
      'Tries what failed again, a crawl with overrides if need be. Fails with job-superseded when a newer job of that show is under way',
  })
  retryUpdateRecord(
    @Args('id', RECORD_ID) id: string,
    @Args('overrides', {
      type: () => RecordOverridesInput,
      nullable: true,
      description: 'How a crawl is to be read; what was decided before stays when left out',
    })
    overrides: RecordOverridesInput | null,
    @CurrentActor() actor: Actor,
  ): Promise<UpdateRecord> {
    return this.retries.retry(actor, decimalId(id), overrides ?? {});
  }

  @Mutation(() => UpdateRecordType, {
    description:
      'Has a skipped crawl written over the gallery that the archive had, which is then to be reviewed again. Answers the new job',
  })
  takeCrawl(@Args('id', RECORD_ID) id: string, @CurrentActor() actor: Actor): Promise<UpdateRecord> {
    return this.decisions.take(actor, decimalId(id));
  }

  @Mutation(() => UpdateRecordType, {
    description:
      'Makes a skipped crawl a show of its own. Fails with show-exists when the overrides lead to a show that is there. Answers the new job',
  })
  makeOwnShow(
    @Args('id', RECORD_ID) id: string,
    @Args('overrides', { description: 'What makes it another show' }) overrides: RecordOverridesInput,
    @CurrentActor() actor: Actor,
  ): Promise<UpdateRecord> {
    return this.decisions.makeOwnShow(actor, decimalId(id), overrides);
  }

  @Mutation(() => UpdateRecordType, {
    description: 'Says that a suspect crawl was the same show: record and gallery are suspect no more',
  })
  dismissSuspect(@Args('id', RECORD_ID) id: string, @CurrentActor() actor: Actor): Promise<UpdateRecord> {
    return this.decisions.dismissSuspect(actor, decimalId(id));
  }
}
