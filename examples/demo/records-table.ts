import type { UpdateRecord } from './archive-client.js';
import { endingOf, wordsOf } from './scenario.js';

export interface RecordGroup {
  heading: string;
  records: readonly UpdateRecord[];
}

export interface TableStyle {
  /** Columns of the terminal. */
  columns: number;
  /** Whether it shows colours. */
  colour: boolean;
}

/** A line of the table: its cells without colour, and the colour of its result. */
interface Row {
  cells: [time: string, subject: string, result: string, detail: string];
  paint: Paint;
}

type Paint = keyof typeof CODES;

const CODES = { plain: '', bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;
const HEAD: Row = { cells: ['时间', '场次', '结果', '明细'], paint: 'dim' };
const GAP = '  ';
const INDENT = '  ';
const LEAST_DETAIL = 24;

// Two columns in a terminal: CJK letters and punctuation, and full-width forms. Marks that sit on a letter take none.
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const NOTHING = /\p{Mn}|\p{Me}|[\u200B\u200C]|\u200D|\uFE0F/u;
// A line may end after a space or CJK punctuation, and between any two CJK letters.
const UNITS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\u3001\u3002\uFF0C\uFF1B\uFF1A\uFF01\uFF1F\uFF09,;:!?)]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|\s+/gu;

const PAINTS: Readonly<Record<string, Paint>> = {
  created: 'green',
  'retried-then-created': 'green',
  reused_rejected: 'cyan',
  skipped_existing: 'yellow',
  skipped_deleted: 'yellow',
};

/** Update records under a heading each, all in the same four columns: 时间 / 场次 / 结果 / 明细. Times are local. */
export function recordsTable(groups: readonly RecordGroup[], { columns, colour }: TableStyle): string[] {
  const tables = groups.map(({ heading, records }) => ({ heading, rows: records.flatMap(rowsOf) }));
  const rows = [HEAD, ...tables.flatMap((table) => table.rows)];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map(({ cells }) => widthOf(cells[column] ?? ''))));
  const before = INDENT.length + widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = Math.max(LEAST_DETAIL, columns - before);
  const detail = Math.min(room, Math.max(...rows.map(({ cells }) => widthOf(cells[3]))));
  const ruleOf = (shown: readonly Row[]): string => {
    const widest = Math.min(detail, Math.max(...[HEAD, ...shown].map(({ cells }) => widthOf(cells[3]))));
    return INDENT + '─'.repeat(before - INDENT.length + widest);
  };
  const paint = (text: string, how: Paint): string => painted(text, colour ? how : 'plain');

  const lineOf = ({ cells, paint: how }: Row): string[] => {
    const [first = '', ...more] = wrapped(cells[3], detail);
    const [time = '', subject = '', result = ''] = cells
      .slice(0, 3)
      .map((cell, column) => padded(cell, widths[column]));
    const whole = how === 'dim';
    const line = whole
      ? paint(`${INDENT}${[time, subject, result, first].join(GAP)}`.trimEnd(), 'dim')
      : `${INDENT}${[paint(time, 'dim'), subject, paint(result, how), first].join(GAP)}`.trimEnd();
    return [line, ...more.map((rest) => paint(' '.repeat(before) + rest, whole ? 'dim' : 'plain'))];
  };
  return tables.flatMap((table) => [
    paint(table.heading, 'bold'),
    ...lineOf(HEAD),
    paint(ruleOf(table.rows), 'dim'),
    ...table.rows.flatMap(lineOf),
    '',
  ]);
}

/** A record, and below it each of its attempts when one was not enough. */
function rowsOf(record: UpdateRecord): Row[] {
  const result = record.status === 'done' ? (record.outcome ?? '') : endingOf(record);
  const row: Row = {
    cells: [localTime(record.updatedAt), record.subject, result, wordsOf(record)],
    paint: record.status === 'failed' ? 'red' : (PAINTS[result] ?? 'plain'),
  };
  if (record.attemptHistory.length < 2) return [row];
  const attempts = record.attemptHistory.map((attempt, index): Row => {
    // The last error is the record's own, which stands above already.
    const words = attempt.error === record.lastError ? '' : (attempt.error ?? '');
    return { cells: [localTime(attempt.endedAt), '', ` ${index + 1}. ${attempt.result}`, words], paint: 'dim' };
  });
  return [row, ...attempts];
}

/** Month, day and time of this machine: `11-30 21:05:09`. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** How many columns a terminal gives to a text. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (NOTHING.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1), 0);
}

export function padded(text: string, width = 0): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** The text as lines no wider than this, broken where both scripts allow it, and anywhere when a word is too long. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const unit of text.match(UNITS) ?? []) {
    if (widthOf(line) + widthOf(unit.trimEnd()) <= width) {
      line += unit;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = unit.trimStart();
    while (widthOf(line) > width) {
      const head = headOf(line, width);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line.trimEnd()];
}

function headOf(text: string, width: number): string {
  let head = '';
  for (const letter of text) {
    if (head !== '' && widthOf(head + letter) > width) break;
    head += letter;
  }
  return head;
}

function painted(text: string, how: Paint): string {
  return how === 'plain' || text === '' ? text : `\u001B[${CODES[how]}m${text}\u001B[0m`;
}
