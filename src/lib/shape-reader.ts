import { isISO8601, isURL } from 'class-validator';
import { AppError, type FieldProblem } from './app-error.js';
import { storable } from './text.js';

type Fields = Readonly<Record<string, unknown>>;

export interface TextRule {
  max: number;
  /** What is too long is cut, with a warning; text that identifies something is refused instead. */
  cut?: boolean;
}

const MAX_PROBLEMS = 20;
const MAX_WARNINGS = 20;

/**
 * Reads the members of an untrusted object one by one. Problems are collected with their JSON pointers, so that a
 * crawler's author sees all of them at once; what can be ignored becomes a warning. `null` and `""` are "not given".
 */
export class ShapeReader {
  private readonly known = new Set<string>();

  private constructor(
    private readonly fields: Fields,
    private readonly pointer: string,
    private readonly found: { problems: FieldProblem[]; warnings: string[] },
  ) {}

  /** @param pointer where the object stands in the message: `/data` */
  static of(value: unknown, pointer: string): ShapeReader {
    const found = { problems: [], warnings: [] };
    const reader = new ShapeReader(isFields(value) ? value : {}, pointer, found);
    if (!isFields(value)) reader.complain('', 'must be an object');
    return reader;
  }

  get problems(): FieldProblem[] {
    return this.found.problems;
  }

  get warnings(): string[] {
    return this.found.warnings;
  }

  raw(name: string): unknown {
    this.known.add(name);
    const value = this.fields[name];
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'string') return value;
    return value.trim() === '' ? undefined : value.trim();
  }

  text(name: string, rule: TextRule): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.complain(name, 'must be a text');
    if (value.length <= rule.max) return value;
    if (!rule.cut) return this.complain(name, `must have at most ${rule.max} characters, and has ${value.length}`);
    this.warn(`${this.at(name)}: cut to ${rule.max} characters`);
    return value.slice(0, rule.max).replace(/[\uD800-\uDBFF]$/, '');
  }

  integer(name: string, min: number, max: number): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.complain(name, `must be a whole number from ${min} to ${max}`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    return choices.find((choice) => choice === value) ?? this.complain(name, `must be one of ${choices.join(', ')}`);
  }

  /** An absolute http(s) address without user and password, as it was sent. */
  url(name: string, max: number): string | undefined {
    const value = this.text(name, { max });
    return value === undefined ? undefined : this.checkUrl(value, name);
  }

  /** A calendar day, `YYYY-MM-DD`, between the first days of two years. */
  day(name: string, firstYear: number, lastYear: number): string | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const year = typeof value === 'string' ? Number(value.slice(0, 4)) : Number.NaN;
    const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isISO8601(value, { strict: true });
    if (isDay && year >= firstYear && year <= lastYear) return value;
    return this.complain(name, `must be a day from ${firstYear} to ${lastYear}, such as 2026-03-02`);
  }

  /** A list whose entries `read` takes one by one; entries that it answers undefined for were complained about. */
  list<T>(name: string, min: number, max: number, read: (entry: unknown, name: string) => T | undefined): T[] {
    const value = this.raw(name);
    if (value === undefined && min === 0) return [];
    if (!Array.isArray(value) || value.length < min || value.length > max) {
      this.complain(name, `must be a list of ${min} to ${max} entries`);
      return [];
    }
    return value.map((entry, index) => read(entry, `${name}/${index}`)).filter((entry) => entry !== undefined);
  }

  /** The reader of an inner object, which shares problems and warnings with this one; undefined when it is not given. */
  object(name: string): ShapeReader | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : this.inner(value, name);
  }

  inner(value: unknown, name: string): ShapeReader | undefined {
    if (isFields(value)) return new ShapeReader(value, this.at(name), this.found);
    return this.complain(name, 'must be an object');
  }

  checkUrl(value: string, name: string): string | undefined {
    const fits = isURL(value, {
      protocols: ['http', 'https'],
      require_protocol: true,
      require_tld: false,
      require_host: true,
      disallow_auth: true,
      allow_underscores: true,
      validate_length: false,
    });
    if (fits && URL.canParse(value)) return value;
    return this.complain(name, 'must be an http or https address without user and password');
  }

  /** Names what nobody read: most often a misspelt field. */
  warnOfUnknown(): void {
    for (const name of Object.keys(this.fields)) {
      if (this.found.warnings.length >= MAX_WARNINGS) return;
      if (!this.known.has(name)) this.warn(unknownMember(this.pointer, name, this.known));
    }
  }

  /**
   * Says all that was wrong, at the end of the reading.
   * @throws AppError 422 `schema-invalid` with every problem's pointer
   */
  finish(): void {
    this.warnOfUnknown();
    const { problems } = this.found;
    const [first] = problems;
    if (first === undefined) return;
    const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
    throw new AppError(
      'schema-invalid',
      `The message's data is not of the right shape: ${first.pointer} ${first.detail}${more}.`,
      { status: 422, errors: problems },
    );
  }

  warn(text: string): void {
    if (this.found.warnings.length < MAX_WARNINGS) this.found.warnings.push(text);
  }

  complain(name: string, detail: string): undefined {
    if (this.found.problems.length < MAX_PROBLEMS) this.found.problems.push({ pointer: this.at(name), detail });
    return undefined;
  }

  private at(name: string): string {
    return name === '' ? this.pointer : `${this.pointer}/${name}`;
  }
}

/**
 * The warning for a member that nobody reads; it names the known one that differs by letter case or by joints only.
 * Such a one is not read in its place: two spellings of one member may come in one object, and then which would count?
 */
export function unknownMember(pointer: string, name: string, known: Iterable<string>): string {
  const sent = folded(name);
  const meant = [...known].find((other) => folded(other) === sent);
  const hint = meant === undefined ? '' : `; is "${meant}" meant?`;
  return `${pointer}/${escaped(storable(name, 80))}: unknown field, ignored${hint}`;
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** A member's name as a JSON pointer writes it (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
