import { describe, expect, it } from '@jest/globals';
import type { UpdateRecord } from './archive-client.js';
import { localTime, padded, recordsTable, widthOf, wrapped } from './records-table.js';

function record(fields: Partial<UpdateRecord>): UpdateRecord {
  return {
    id: '1',
    kind: 'crawl',
    status: 'done',
    outcome: 'created',
    note: '新建 42 张图',
    subject: '2026 秋冬 · 高级成衣 · 巴黎',
    galleryId: '1',
    attempts: 1,
    errorCode: null,
    lastError: null,
    suspect: false,
    createdAt: '2026-11-30T08:00:00Z',
    updatedAt: '2026-11-30T08:00:00Z',
    attemptHistory: [],
    ...fields,
  };
}

const plain = { columns: 100, colour: false };

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['created', 7],
    ['2026 秋冬', 9],
    ['新建\uFF0C完', 8],
    ['新建,完', 7],
    ['Éclair', 6],
    ['E\u0301clair', 6],
    ['ソ', 2],
    ['한', 2],
    ['Ａ1', 3],
  ])('of %j is %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
    expect(widthOf(padded(text, 20))).toBe(20);
  });
});

describe('a text that is too wide', () => {
  it('is broken between words and between Chinese characters, and never wider than asked', () => {
    expect(wrapped('the cover is missing', 9)).toEqual(['the cover', 'is', 'missing']);
    expect(wrapped('新建四张图,略去一张', 8)).toEqual(['新建四张', '图,略去', '一张']);
    expect(wrapped('新建四张\uFF0C略去', 8)).toEqual(['新建四', '张\uFF0C略去']);
    for (const width of [5, 8, 13, 40]) {
      for (const line of wrapped('已存在(status=published),载荷 45 张 https://a.example/a-long-name.jpg', width)) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  it('loses nothing but the spaces where it was broken', () => {
    const text = '复用被驳回的记录并覆盖,45 张图 http_404 extraordinarily';
    expect(wrapped(text, 7).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('is one empty line when there is nothing', () => {
    expect(wrapped('', 10)).toEqual(['']);
  });
});

describe('the table of update records', () => {
  it('lines up its columns over all groups, whatever script they are in', () => {
    const lines = recordsTable(
      [
        { heading: '云岫', records: [record({})] },
        { heading: 'Éclair', records: [record({ subject: 'x', outcome: 'skipped_existing', note: '已存在' })] },
      ],
      plain,
    );
    const time = localTime('2026-11-30T08:00:00Z');
    expect(lines).toEqual([
      '云岫',
      '  时间            场次                         结果              明细',
      `  ${'─'.repeat(75)}`,
      `  ${time}  2026 秋冬 · 高级成衣 · 巴黎  created           新建 42 张图`,
      '',
      'Éclair',
      '  时间            场次                         结果              明细',
      `  ${'─'.repeat(69)}`,
      `  ${time}  x                            skipped_existing  已存在`,
      '',
    ]);
  });

  it('tells each attempt when there was more than one, and an error once', () => {
    const attempt = { number: 1, endedAt: '2026-11-30T08:00:00Z', errorCode: 'x', worker: 'w' };
    const attemptHistory = [
      { ...attempt, result: 'retry', error: 'busy' },
      { ...attempt, result: 'retry', error: 'busy' },
      { ...attempt, result: 'failed', error: 'gone' },
    ];
    const failed = record({
      status: 'failed',
      outcome: null,
      note: null,
      errorCode: 'too_few',
      lastError: 'gone',
      attemptHistory,
    });
    const [, , , first = '', ...attempts] = recordsTable([{ heading: 'A', records: [failed] }], plain);
    expect(first).toMatch(/ failed +too_few: gone$/);
    expect(attempts.map((line) => line.trim().split(/ {2,}/).slice(1))).toEqual([
      ['1. retry', 'busy'],
      ['2. retry', 'busy'],
      ['3. failed'],
      [],
    ]);
  });

  it('stays within the terminal and wraps the details under themselves', () => {
    const note = '新建 5/6 张图;未取到: Look 4 http_404, Look 5 http_404, Look 6 http_404, Look 7 http_404';
    const lines = recordsTable([{ heading: 'A', records: [record({ note })] }], { columns: 90, colour: false });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(90);
    const starts = lines.slice(3, -1).map((line) => widthOf(line.slice(0, line.search(/新建|http_404|Look|张图/))));
    expect(new Set(starts).size).toBe(1);
  });

  it('colours results only where colours are shown', () => {
    const groups = [{ heading: 'A', records: [record({})] }];
    expect(recordsTable(groups, { columns: 100, colour: true }).join('\n')).toContain('\u001B[32mcreated');
    expect(recordsTable(groups, plain).join('\n')).not.toContain('\u001B');
  });
});
