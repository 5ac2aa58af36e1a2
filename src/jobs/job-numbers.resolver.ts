import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import type { JobHour } from './job-hours.js';
import { JobCountType, JobHourType } from './job-numbers.type.js';
import { type JobCount, JobNumbers } from './job-numbers.service.js';
import { KindPauses } from './kind-pauses.service.js';

/** Whole kinds of jobs: how many there are of each, and whether they are worked on. */
@Resolver()
export class JobNumbersResolver {
  constructor(
    private readonly numbers: JobNumbers,
    private readonly pauses: KindPauses,
  ) {}

  @Query(() => [JobCountType], {
    description: 'What there is of each kind of jobs, those among them that nobody works on',
  })
  @Requires('viewer')
  jobCounts(): Promise<JobCount[]> {
    return this.numbers.counts();
  }

  @Query(() => [JobHourType], { description: 'What came in and what ended in each hour of a time, 31 days at most' })
  @Requires('viewer')
  jobsPerHour(
    @Args('from', { description: 'The hour of this is the first' }) from: Date,
    @Args('to', { description: 'The hour before this, or of it, is the last' }) to: Date,
    @Args('kind', { type: () => [String], nullable: true, description: 'Only jobs of these kinds' })
    kind: string[] | null,
  ): Promise<JobHour[]> {
    return this.numbers.perHour(from, to, kind);
  }

  @Mutation(() => JobCountType, {
    description: 'Has no more jobs of a kind begun, in any process, until it is resumed; running ones go on',
  })
  @Requires('operator')
  pauseKind(
    @Args('kind', { description: 'crawl, media_cleanup, …' }) kind: string,
    @Args('reason', { description: 'For whoever finds it paused; kept from the first time on' }) reason: string,
    @CurrentActor() actor: Actor,
  ): Promise<JobCount> {
    return this.pauses.pause(actor, kind, reason);
  }

  @Mutation(() => JobCountType, { description: 'Has jobs of a paused kind begun again' })
  @Requires('operator')
  resumeKind(
    @Args('kind', { description: 'crawl, media_cleanup, …' }) kind: string,
    @CurrentActor() actor: Actor,
  ): Promise<JobCount> {
    return this.pauses.resume(actor, kind);
  }
}
