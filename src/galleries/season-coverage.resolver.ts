import { Args, Query, Resolver } from '@nestjs/graphql';
import { Requires } from '../auth/access.decorators.js';
import { decodeCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';
import { coverageAsked, SeasonCoverageArgs, SeasonCoverageSummaryArgs } from './season-coverage.args.js';
import { type BrandCoverage, type CoverageSum, MAX_CRAWLS, SeasonCoverage } from './season-coverage.service.js';
import { BrandCoverageType, CoverageSummaryType } from './season-coverage.type.js';

const BrandCoverageConnection = Connection(BrandCoverageType);

/** Who is missing in a season. */
@Resolver()
export class SeasonCoverageResolver {
  constructor(private readonly coverage: SeasonCoverage) {}

  @Query(() => BrandCoverageConnection, {
    description:
      'Which brands’ shows of some seasons have arrived, and which are missing: active brands, in the order of their slugs, ' +
      'without those of which nothing came and nothing was to come. ' +
      `Of each brand the newest ${MAX_CRAWLS} crawls that wait, run, failed or were turned away are looked at`,
  })
  @Requires('viewer')
  async seasonCoverage(@Args() args: SeasonCoverageArgs): Promise<ConnectionOf<BrandCoverage>> {
    const [after] = args.after ? decodeCursor(args.after, 1) : [];
    const page = await this.coverage.page(coverageAsked(args), pageSizeOf(args), after);
    return connectionOf(page, ({ brand }) => [brand.slug], args.after);
  }

  @Query(() => [CoverageSummaryType], {
    description: 'How many active brands are in each state, for each season and category, as seasonCoverage tells them',
  })
  @Requires('viewer')
  seasonCoverageSummary(@Args() args: SeasonCoverageSummaryArgs): Promise<CoverageSum[]> {
    return this.coverage.summary(coverageAsked(args));
  }
}
