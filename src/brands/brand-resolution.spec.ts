import { describe, expect, it } from '@jest/globals';
import { AppError } from '../lib/app-error.js';
import { agreedBrand, givenParts, unknownBrand } from './brand-resolution.js';

const row = { id: '1', name: 'The Row', names: ['The Row'] };
const other = { id: '2', name: 'Row', names: ['Row'] };

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return `${error.status} ${error.code}: ${error.message}`;
  }
  return 'nothing was thrown';
}

describe('the given parts of a reference', () => {
  it('leave out null, blanks and zeros, and are trimmed', () => {
    expect(givenParts({ hashid: ' ', id: '0', name: null })).toEqual({});
    expect(givenParts({ hashid: '0', id: undefined, name: '0' })).toEqual({});
    expect(givenParts({ hashid: ' Ab ', id: ' 7 ', name: ' 1205 ' })).toEqual({ hashid: 'Ab', id: '7', name: '1205' });
  });
});

describe('the agreed brand', () => {
  it('is what all given parts mean', () => {
    expect(agreedBrand({ id: '1', name: 'row' }, { id: [row], name: [other, row] })).toBe(row);
  });

  it('is none when no part means a brand', () => {
    expect(agreedBrand({ id: '9', name: 'x' }, { id: [], name: [] })).toBeUndefined();
    expect(agreedBrand({}, {})).toBeUndefined();
  });

  it('is refused when two parts mean different brands, or one of them none', () => {
    const different = codeOf(() => agreedBrand({ id: '1', name: 'Row' }, { id: [row], name: [other] }));
    expect(different).toMatch(/^422 brand-mismatch: .*the id "1" means The Row, the name "Row" means Row/);
    const none = codeOf(() => agreedBrand({ hashid: 'zz', name: 'Row' }, { hashid: [], name: [other] }));
    expect(none).toMatch(/^422 brand-mismatch: .*the hashid "zz" means no brand/);
  });

  it('is refused when a name belongs to two, and both are named', () => {
    const both = codeOf(() => agreedBrand({ name: 'row' }, { name: [row, other] }));
    expect(both).toMatch(/^422 brand-ambiguous: .*The Row \(id 1\) and Row \(id 2\)/);
  });
});

describe('an unknown brand', () => {
  it('is answered with near names, and says what to do', () => {
    const error = unknownBrand({ name: 'Guci' }, ['Gucci']);
    expect(error.members).toEqual({ near: ['Gucci'] });
    expect(error.message).toMatch(/"Guci".*Near names: Gucci/);
    expect(unknownBrand({}, []).message).toMatch(/No brand is named/);
  });
});
