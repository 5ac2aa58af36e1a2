import { BrandCatalogue } from '../../src/brands/brand-catalogue.service.js';
import { parseBrandLine } from '../../src/brands/brand-line.js';
import { IngestModule } from '../../src/ingest/ingest.module.js';
import { AppError } from '../../src/lib/app-error.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import {
  type BrandReference,
  type Described,
  IntakeType,
  type IntakeTypeHandler,
  type KnownBrand,
  type Normalised,
} from '../../src/platform/intake/intake-type.js';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';

interface TestShow {
  brand: BrandReference | undefined;
  title: string;
}

const KNOWN = new Set(['brand', 'brand_id', 'brand_hashid', 'title', 'filler']);

function invalid(pointer: string, detail: string): AppError {
  return new AppError('schema-invalid', `${pointer} ${detail}.`, { status: 422, errors: [{ pointer, detail }] });
}

function normalise(data: unknown): { title: string; warnings: string[]; given: Record<string, unknown> } {
  const given = data as Record<string, unknown>;
  if (typeof given['title'] !== 'string') throw invalid('/data/title', 'must be text');
  const warnings = Object.keys(given).filter((key) => !KNOWN.has(key));
  return { title: given['title'], warnings: warnings.map((key) => `/data/${key} is not known and was ignored`), given };
}

/** A type with a brand, as a module of somebody else would own it. */
@IntakeType({ type: 'test.show', path: '/ingest', kind: 'test-show' })
export class TestShows implements IntakeTypeHandler<TestShow> {
  normalise(data: unknown): Normalised<TestShow> {
    const { title, warnings, given } = normalise(data);
    const { brand: name, brand_id: id, brand_hashid: hashid } = given as Record<string, string | number | undefined>;
    const brand: BrandReference = {
      ...(name === undefined ? {} : { name: String(name) }),
      ...(id === undefined ? {} : { id: String(id) }),
      ...(hashid === undefined ? {} : { hashid: String(hashid) }),
    };
    return { value: { brand, title }, warnings };
  }

  brandOf({ brand }: TestShow): BrandReference | undefined {
    return brand;
  }

  describe({ title }: TestShow, brand: KnownBrand | undefined): Described {
    if (title === 'no season') throw new AppError('season-unparsed', 'There is no season in it.', { status: 422 });
    if (title === 'a bug') throw new TypeError('internal words that nobody may see');
    // What the database refuses, and no check before it.
    const subject = title === 'unstorable' ? 'a\0b' : `${brand?.name ?? ''} · ${title}`;
    return { subject, subjectKey: `${brand?.id ?? ''}/${title}`, warnings: [] };
  }
}

/** A type without a brand. */
@IntakeType({ type: 'test.street', path: '/ingest', kind: 'test-street' })
export class TestStreet implements IntakeTypeHandler<TestShow> {
  normalise(data: unknown): Normalised<TestShow> {
    const { title, warnings, given } = normalise(data);
    if (given['brand'] !== undefined) throw new AppError('brand-not-allowed', 'No brand here.', { status: 422 });
    return { value: { brand: undefined, title }, warnings };
  }

  brandOf(): undefined {
    return undefined;
  }

  describe({ title }: TestShow): Described {
    return { subject: title, subjectKey: '', warnings: [] };
  }
}

/** A type that belongs to another path. */
@IntakeType({ type: 'test.elsewhere', path: '/ingest/elsewhere', kind: 'test-show' })
export class TestElsewhere extends TestShows {}

/** The application with the intake, three types of the test's own, and two brands, Maison Éclair and 盖娅传说. */
export async function startIntakeApp(options: TestAppOptions = {}): Promise<TestApp> {
  const started = await startTestApp({
    ...options,
    modules: [HttpModule, IngestModule, ...(options.modules ?? [])],
    providers: [TestShows, TestStreet, TestElsewhere, ...(options.providers ?? [])],
  });
  if (options.db !== undefined) return started;
  const catalogue = started.app.get(BrandCatalogue, { strict: false });
  await catalogue.put(parseBrandLine('{"id":7,"name":"Maison Éclair"}'));
  await catalogue.put(parseBrandLine('{"id":8,"name":"盖娅传说"}'));
  return started;
}

/** A body that is accepted; `data` goes over its data. */
export function show(data: Record<string, unknown> = {}, type = 'test.show'): Record<string, unknown> {
  return { type, timestamp: '2026-11-30T08:00:00Z', data: { brand: 'Maison Éclair', title: 'Fall 2026', ...data } };
}
