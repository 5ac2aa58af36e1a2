import { Field, Int, ObjectType } from '@nestjs/graphql';
import { CappedCountType } from '../platform/graphql/capped-count.type.js';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import type { JobHour, OutcomeCount } from './job-hours.js';
import type { JobCount } from './job-numbers.service.js';

@ObjectType('JobKindPause', { description: 'A kind of jobs that is not begun any more until it is resumed' })
export class JobKindPauseType {
  @Field(() => DateTime, { description: 'Since when' })
  pausedAt!: number;

  @Field({ description: 'Who paused it' })
  pausedBy!: string;

  @Field({ description: 'Why, in their words' })
  reason!: string;
}

@ObjectType('JobCount', { description: 'What there is of one kind of jobs; counted to 10,000' })
export class JobCountType implements JobCount {
  @Field({ description: 'crawl, media_cleanup, …' })
  kind!: string;

  @Field({ description: 'Whether it can be worked on; false when nothing that runs here knows the kind' })
  handled!: boolean;

  @Field(() => CappedCountType, { description: 'Pending, and to be begun as soon as a worker is free' })
  due!: CappedCountType;

  @Field(() => CappedCountType, { description: 'Pending, and due later: after a failed attempt, or as it was asked' })
  waiting!: CappedCountType;

  @Field(() => Int, { description: 'Processing' })
  running!: number;

  @Field(() => CappedCountType, {
    description: 'Failed, of the newest 10,000 failed jobs of all kinds; capped when there are more of those',
  })
  failed!: CappedCountType;

  @Field(() => Int, { nullable: true, description: 'Seconds that the first has been due; null when nothing is due' })
  oldestDueSeconds!: number | null;

  @Field(() => JobKindPauseType, { nullable: true, description: 'null when it is not paused' })
  pause!: JobKindPauseType | null;
}

@ObjectType('OutcomeCount', { description: 'How many jobs ended so' })
export class OutcomeCountType implements OutcomeCount {
  @Field({ description: 'created, skipped_existing, …' })
  outcome!: string;

  @Field(() => Int, { description: 'Jobs' })
  count!: number;
}

@ObjectType('JobHour', { description: 'What came in and what ended within one hour' })
export class JobHourType implements JobHour {
  @Field(() => DateTime, { description: 'When the hour begins' })
  hour!: number;

  @Field(() => Int, { description: 'Jobs that came in' })
  arrived!: number;

  @Field(() => Int, { description: 'Jobs that ended well' })
  done!: number;

  @Field(() => Int, {
    description: 'Jobs that failed or were given up, without those that somebody had tried again since',
  })
  failed!: number;

  @Field(() => [OutcomeCountType], { description: 'The done ones by their outcomes' })
  outcomes!: OutcomeCountType[];
}
