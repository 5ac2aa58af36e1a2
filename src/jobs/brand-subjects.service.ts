import { Injectable } from '@nestjs/common';
import { BrandSubjectsRepository, type SubjectRecord, type SubjectsAsked } from './brand-subjects.repository.js';

export type { SubjectRecord, SubjectsAsked } from './brand-subjects.repository.js';

/** What brands' jobs are about, for whoever wants to know what is missing. */
@Injectable()
export class BrandSubjects {
  constructor(private readonly repository: BrandSubjectsRepository) {}

  /**
   * For each thing that a brand's newest jobs are about, the newest job of each status that is not done, and of each of
   * the outcomes that are asked for. Jobs that are about nothing are left out. One statement, in no order.
   */
  newestOfBrands(brandIds: readonly string[], asked: SubjectsAsked): Promise<SubjectRecord[]> {
    return brandIds.length === 0 ? Promise.resolve([]) : this.repository.newestOfBrands(brandIds, asked);
  }
}
