import { AppError } from '../lib/app-error.js';
import type { BrandReference, KnownBrand } from '../platform/intake/intake-type.js';

/** What the parts of a reference mean, each by itself: one brand, several, or none. */
export type Meanings = Partial<Record<keyof BrandReference, readonly KnownBrand[]>>;

/** The parts that were given: blank ones and a zero, which earlier crawlers sent for "none", were not. */
export function givenParts(ref: { [Part in keyof BrandReference]?: string | null | undefined }): BrandReference {
  const given: BrandReference = {};
  for (const part of ['hashid', 'id', 'name'] as const) {
    const text = ref[part]?.trim() ?? '';
    if (text !== '' && text !== '0') given[part] = text;
  }
  return given;
}

/**
 * The one brand that every given part can mean. A name of two brands is no trouble when the id says which of them.
 * @throws AppError 422 `brand-mismatch` when the parts have no brand in common, `brand-ambiguous` when they have more
 * @returns undefined when no part means anything: then nobody disagrees, the brand is just not known
 */
export function agreedBrand(given: BrandReference, meanings: Meanings): KnownBrand | undefined {
  const sets = Object.values(meanings);
  if (sets.every((set) => set.length === 0)) return undefined;
  const common = (sets[0] ?? []).filter((brand) => sets.every((set) => set.some((other) => other.id === brand.id)));
  if (common.length === 0) throw mismatch(given, meanings);
  if (common.length > 1) throw ambiguous(given, common);
  return common[0];
}

export function unknownBrand(given: BrandReference, near: readonly string[]): AppError {
  const parts = Object.entries(given).map(([part, text]) => `${part} "${text}"`);
  const message =
    parts.length === 0
      ? 'No brand is named: give its hashid, its id or its name.'
      : `No brand is known by the ${parts.join(' and the ')}.` +
        (near.length > 0 ? ` Near names: ${near.join(', ')}.` : '') +
        ' An editor can add the brand, or this name as an alias of one.';
  return new AppError('brand-unknown', message, { status: 422, members: { near } });
}

function mismatch(given: BrandReference, meanings: Meanings): AppError {
  const says = (Object.keys(meanings) as (keyof BrandReference)[]).map((part) => {
    const names = meanings[part]?.map((brand) => brand.name) ?? [];
    return `the ${part} "${given[part] ?? ''}" means ${names.length === 0 ? 'no brand' : names.join(' or ')}`;
  });
  return new AppError(
    'brand-mismatch',
    `The payload names different brands: ${says.join(', ')}. Send those that belong together, or one alone.`,
    { status: 422 },
  );
}

function ambiguous(given: BrandReference, brands: readonly KnownBrand[]): AppError {
  const listed = brands.map((brand) => `${brand.name} (id ${brand.id})`).join(' and ');
  return new AppError(
    'brand-ambiguous',
    `The name "${given.name ?? ''}" belongs to ${listed}. Send the brand's hashid or id instead.`,
    { status: 422, members: { brands: brands.map(({ id, name }) => ({ id, name })) } },
  );
}
