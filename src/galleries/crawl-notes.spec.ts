import { describe, expect, it } from '@jest/globals';
import { crawlNotes, type CrawlNotes, type PictureTally } from './crawl-notes.js';

const zh = crawlNotes('zh-CN');
const en = crawlNotes('en');

const NOTHING = { duplicate: 0, railCover: 0, foreignCover: 0, sameBytes: 0 };
const tally = (over: Partial<PictureTally> = {}): PictureTally => ({
  wanted: 45,
  stored: 45,
  failures: [],
  leftOut: NOTHING,
  ...over,
});

describe('the note of each outcome', () => {
  it.each<[string, (notes: CrawlNotes) => string, string, string]>([
    ['created', (notes) => notes.created(tally()), '新建 45 张图', 'created, 45 pictures'],
    [
      'reused_rejected',
      (notes) => notes.reusedRejected(tally()),
      '复用被驳回的记录并覆盖,45 张图',
      'reused the rejected record, 45 pictures',
    ],
    [
      'overwritten',
      (notes) => notes.taken(tally()),
      '按编辑决定覆盖,45 张图',
      'overwritten as an editor decided, 45 pictures',
    ],
    [
      'skipped_existing',
      (notes) => notes.skippedExisting('published', 45, 6, false),
      '已存在(status=published),载荷 45 张,库中 6 张',
      'already exists (status=published), 45 sent, 6 stored',
    ],
    [
      'skipped_existing, suspect',
      (notes) => notes.skippedExisting('pending_review', 45, 6, true),
      '已存在(status=pending_review),载荷 45 张,库中 6 张,但图片无一相同,可能是另一场',
      'already exists (status=pending_review), 45 sent, 6 stored, but no picture is the same: it may be another show',
    ],
    ['skipped_deleted', (notes) => notes.skippedDeleted('2026-01-02'), '已删除(2026-01-02),跳过', 'deleted, skipped'],
    ['noop of an empty payload', (notes) => notes.emptyPayload(), '空载荷,无需处理', 'nothing to do'],
    ['noop of a restored gallery', (notes) => notes.restored(), '已恢复,无需清理', 'nothing to do'],
    ['cleaned', (notes) => notes.cleaned(90, 2), '清理 90 个文件,2 个本就不在', '90 files removed, 2 were gone'],
    ['cleaned, and all were there', (notes) => notes.cleaned(90, 0), '清理 90 个文件', '90 files removed'],
  ])('is as editors know it, in both languages: %s', (_, note, chinese, english) => {
    expect([note(zh), note(en)]).toEqual([chinese, english]);
  });
});

describe('the note of a gallery with pictures missing', () => {
  const partial = tally({ stored: 42, failures: ['Look 7 http_404', 'Look 9 timeout', '#45 truncated'] });

  it('says how many of how many, and which failed', () => {
    expect(zh.created(partial)).toBe('新建 42/45 张图;未取到: Look 7 http_404, Look 9 timeout, #45 truncated');
    expect(en.reusedRejected(partial)).toBe(
      'reused the rejected record, 42/45 pictures;missing: Look 7 http_404, Look 9 timeout, #45 truncated',
    );
  });

  it('names eight, and says that there are more', () => {
    const failures = Array.from({ length: 9 }, (_, index) => `#${index + 1} timeout`);
    const note = zh.created(tally({ stored: 36, failures }));
    expect(note).toContain('#8 timeout …');
    expect(note).not.toContain('#9');
  });
});

describe('the note of a gallery with pictures left out', () => {
  it('counts them by reason, and only the reasons that there are', () => {
    const leftOut = { duplicate: 1, railCover: 2, foreignCover: 3, sameBytes: 4 };
    expect(zh.created(tally({ leftOut }))).toBe(
      '新建 45 张图;略去 2 张本季封面;略去 3 张其他场次封面;略去 1 张重复;略去 4 张内容相同',
    );
    expect(en.created(tally({ leftOut: { ...NOTHING, foreignCover: 3 } }))).toBe(
      'created, 45 pictures;left out 3 covers of other shows',
    );
  });
});
