import { Injectable } from '@nestjs/common';
import type { BrandType } from '../brands/brand.type.js';
import { BrandsService } from '../brands/brands.service.js';
import { BrandSubjects, type SubjectRecord } from '../jobs/brand-subjects.service.js';
import { pageOf, type Page } from '../platform/graphql/connection.js';
import type { Category } from '../taxonomy/categories.js';
import { SeasonCoverageRepository } from './season-coverage.repository.js';
import {
  coverageOf,
  COVERAGE_STATES,
  coveringCategories,
  type CoverageCell,
  type CoverageState,
  type CrawlSeen,
  hasAnything,
  lookedAtSeasons,
  type Season,
} from './season-coverage.js';

/** Of each brand, so many newest crawls are looked at that wait, that run, that failed, and that were turned away. */
export const MAX_CRAWLS = 200;

const CRAWL = 'crawl';
const SKIPPED = 'skipped_deleted';

/** So many brands at once, as long as a page is not full: three statements each time. */
const MAX_BRANDS = 1_000;

export interface CoverageAsked {
  seasons: readonly Season[];
  categories: readonly Category[];
  brandIds?: readonly string[] | undefined;
  search?: string | undefined;
  /** Only brands that have one of these states in some cell. */
  states?: readonly CoverageState[] | undefined;
}

export interface BrandCoverage {
  brand: BrandType;
  cells: CoverageCell[];
}

/** How many brands are in each state, of one season and category. */
export interface CoverageSum extends Season {
  category: Category;
  states: { state: CoverageState; brands: number }[];
}

/**
 * Which brands' shows of a season have arrived, and which are missing. Told of what is there now: a brand's galleries, and
 * its newest crawls that left none.
 */
@Injectable()
export class SeasonCoverage {
  constructor(
    private readonly brands: BrandsService,
    private readonly subjects: BrandSubjects,
    private readonly repository: SeasonCoverageRepository,
  ) {}

  /**
   * Brands with at least one cell that is not `none`, by slug. Whether a brand is on the page is known only once its cells
   * are: brands are looked at in growing numbers until there are enough.
   * @param after slug of the last row of the page before
   */
  async page(asked: CoverageAsked, first: number, after: string | undefined): Promise<Page<BrandCoverage>> {
    const found: BrandCoverage[] = [];
    for await (const rows of this.stretches(asked, first + 1, after)) {
      found.push(...rows.filter(({ cells }) => hasAnything(cells) && isWanted(cells, asked.states)));
      if (found.length > first) break;
    }
    return pageOf(found, first);
  }

  /** Over all active brands, or those that are asked for; the states of rows are not asked about. */
  async summary(asked: CoverageAsked): Promise<CoverageSum[]> {
    const sums = asked.seasons.flatMap((season) =>
      asked.categories.map((category) => ({ ...season, category, brands: new Map<CoverageState, number>() })),
    );
    for await (const rows of this.stretches(asked, MAX_BRANDS, undefined)) {
      for (const { cells } of rows) {
        // A row's cells stand in the order of the sums.
        cells.forEach(({ state }, place) => {
          const brands = sums[place]?.brands;
          brands?.set(state, (brands.get(state) ?? 0) + 1);
        });
      }
    }
    return sums.map(({ brands, ...cell }) => ({
      ...cell,
      states: COVERAGE_STATES.map((state) => ({ state, brands: brands.get(state) ?? 0 })),
    }));
  }

  private async *stretches(
    asked: CoverageAsked,
    size: number,
    after: string | undefined,
  ): AsyncGenerator<BrandCoverage[]> {
    if (asked.brandIds !== undefined) {
      yield this.cellsOf(asked, await this.chosen(asked.brandIds, after));
      return;
    }
    let [count, from] = [size, after];
    for (;;) {
      const { rows, hasNextPage } = await this.brands.page({
        first: count,
        sort: 'slug',
        search: asked.search,
        after: from === undefined ? undefined : [from],
      });
      yield this.cellsOf(asked, rows);
      if (!hasNextPage) return;
      from = rows.at(-1)?.slug;
      count = Math.min(count * 4, MAX_BRANDS);
    }
  }

  private async chosen(ids: readonly string[], after: string | undefined): Promise<BrandType[]> {
    const brands = [...(await this.brands.rows(ids)).values()].filter(({ status }) => status === 'active');
    const sorted = brands.sort((a, b) => compareSlugs(a.slug, b.slug));
    return after === undefined ? sorted : sorted.filter(({ slug }) => compareSlugs(slug, after) > 0);
  }

  private async cellsOf(
    { seasons, categories }: CoverageAsked,
    brands: readonly BrandType[],
  ): Promise<BrandCoverage[]> {
    if (brands.length === 0) return [];
    const ids = brands.map(({ id }) => id);
    const [shows, records] = await Promise.all([
      this.repository.showsOf(ids, lookedAtSeasons(seasons), coveringCategories(categories)),
      this.subjects.newestOfBrands(ids, { kind: CRAWL, outcomes: [SKIPPED], perBrand: MAX_CRAWLS }),
    ]);
    const crawls = new Map<string, CrawlSeen[]>(ids.map((id) => [id, []]));
    for (const record of records) crawls.get(record.brandId)?.push(crawlSeen(record));
    return brands.map((brand) => ({
      brand,
      cells: coverageOf(seasons, categories, shows.get(brand.id) ?? [], crawls.get(brand.id) ?? []),
    }));
  }
}

function crawlSeen({ id, subjectKey, status, updatedAt }: SubjectRecord): CrawlSeen {
  const state = status === 'failed' ? 'failed' : status === 'done' ? 'skipped' : 'in_progress';
  return { subjectKey, state, recordId: id, at: updatedAt };
}

function isWanted(cells: readonly CoverageCell[], states: readonly CoverageState[] | undefined): boolean {
  return states === undefined || cells.some(({ state }) => states.includes(state));
}

/** As the database compares them: by their bytes. */
function compareSlugs(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
