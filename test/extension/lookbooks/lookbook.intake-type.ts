import { AppError } from '../../../src/lib/app-error.js';
import {
  type BrandReference,
  type Described,
  IntakeType,
  type IntakeTypeHandler,
  type KnownBrand,
  type Normalised,
} from '../../../src/platform/intake/intake-type.js';

export interface Lookbook {
  brand: string;
  title: string;
  pages: number;
}

/** A brand's own booklet of a collection, as its press office sends it. */
@IntakeType({ type: 'lookbook.sent', path: '/ingest', kind: 'lookbook' })
export class LookbookIntakeType implements IntakeTypeHandler<Lookbook> {
  normalise(data: unknown): Normalised<Lookbook> {
    const { brand, title, pages } = (data ?? {}) as Partial<Record<keyof Lookbook, unknown>>;
    if (typeof brand === 'string' && typeof title === 'string' && Number.isInteger(pages)) {
      return { value: { brand, title, pages: Number(pages) }, warnings: [] };
    }
    throw new AppError('schema-invalid', 'A lookbook has a brand, a title and a number of pages.', {
      status: 422,
      errors: [{ pointer: '/data', detail: 'needs brand, title and pages' }],
    });
  }

  brandOf({ brand }: Lookbook): BrandReference {
    return { name: brand };
  }

  describe({ title }: Lookbook, brand: KnownBrand | undefined): Described {
    return { subject: `Lookbook · ${title}`, subjectKey: `lookbook:${brand?.id}:${title}`, warnings: [] };
  }
}
