import type { NotesLocale } from '../platform/config/config.js';
import type { GalleryStatus } from './crawl-decision.js';
import type { Selection } from './picture-selection.js';

export interface PictureTally {
  /** Pictures that the gallery was to have. */
  wanted: number;
  stored: number;
  /** "Look 7: http_404", for those that are missing. */
  failures: string[];
  leftOut: Selection['leftOut'] & { sameBytes: number };
}

/** What the update records say, in the language of the editors. One place, so that both languages say the same. */
export interface CrawlNotes {
  created(tally: PictureTally): string;
  reusedRejected(tally: PictureTally): string;
  /** An editor took the crawl for a gallery that it had been skipped into. */
  taken(tally: PictureTally): string;
  skippedExisting(status: GalleryStatus, sent: number, stored: number, suspect: boolean): string;
  /** @param day when it was deleted, `YYYY-MM-DD` */
  skippedDeleted(day: string): string;
  emptyPayload(): string;
  cleaned(removed: number, missing: number): string;
  restored(): string;
  stillNeeded(): string;
  /** @param failures "Look 7 http_404", for those that are still missing */
  refilled(wanted: number, came: number, failures: readonly string[]): string;
  nothingMissing(): string;
  inTrash(): string;
}

const MAX_FAILURES_NAMED = 8;

const chinese: CrawlNotes = {
  created: (tally) => `新建 ${count(tally)} 张图${details(tally, '未取到', zhLeftOut)}`,
  reusedRejected: (tally) => `复用被驳回的记录并覆盖,${count(tally)} 张图${details(tally, '未取到', zhLeftOut)}`,
  taken: (tally) => `按编辑决定覆盖,${count(tally)} 张图${details(tally, '未取到', zhLeftOut)}`,
  skippedExisting: (status, sent, stored, suspect) =>
    `已存在(status=${status}),载荷 ${sent} 张,库中 ${stored} 张${suspect ? ',但图片无一相同,可能是另一场' : ''}`,
  skippedDeleted: (day) => `已删除(${day}),跳过`,
  emptyPayload: () => '空载荷,无需处理',
  cleaned: (removed, missing) => `清理 ${removed} 个文件${missing > 0 ? `,${missing} 个本就不在` : ''}`,
  restored: () => '已恢复,无需清理',
  stillNeeded: () => '文件仍在使用,无需清理',
  refilled: (wanted, came, failures) => `补图 ${came}/${wanted}${named(failures, ';未取到')}`,
  nothingMissing: () => '没有缺图,无需补图',
  inTrash: () => '图集在回收站,不补图',
};

const english: CrawlNotes = {
  created: (tally) => `created, ${count(tally)} pictures${details(tally, 'missing', enLeftOut)}`,
  reusedRejected: (tally) =>
    `reused the rejected record, ${count(tally)} pictures${details(tally, 'missing', enLeftOut)}`,
  taken: (tally) => `overwritten as an editor decided, ${count(tally)} pictures${details(tally, 'missing', enLeftOut)}`,
  skippedExisting: (status, sent, stored, suspect) =>
    `already exists (status=${status}), ${sent} sent, ${stored} stored${suspect ? ', but no picture is the same: it may be another show' : ''}`,
  skippedDeleted: () => 'deleted, skipped',
  emptyPayload: () => 'nothing to do',
  cleaned: (removed, missing) => `${removed} files removed${missing > 0 ? `, ${missing} were gone` : ''}`,
  restored: () => 'nothing to do',
  stillNeeded: () => 'the files are in use, nothing to clean up',
  refilled: (wanted, came, failures) => `refilled ${came} of ${wanted}${named(failures, '; missing')}`,
  nothingMissing: () => 'no picture is missing, nothing to do',
  inTrash: () => 'the gallery is in the trash, nothing to do',
};

export function crawlNotes(locale: NotesLocale): CrawlNotes {
  return locale === 'en' ? english : chinese;
}

/** "45", or "42/45" when some are missing. */
function count({ stored, wanted }: PictureTally): string {
  return stored === wanted ? String(stored) : `${stored}/${wanted}`;
}

function details(tally: PictureTally, missing: string, leftOut: (tally: PictureTally) => string[]): string {
  const parts = [...(tally.failures.length === 0 ? [] : [named(tally.failures, missing)]), ...leftOut(tally)];
  return parts.length === 0 ? '' : `;${parts.join(';')}`;
}

function named(failures: readonly string[], what: string): string {
  if (failures.length === 0) return '';
  const more = failures.length > MAX_FAILURES_NAMED ? ' …' : '';
  return `${what}: ${failures.slice(0, MAX_FAILURES_NAMED).join(', ')}${more}`;
}

function zhLeftOut({ leftOut }: PictureTally): string[] {
  const named: [number, string][] = [
    [leftOut.railCover, '本季封面'],
    [leftOut.foreignCover, '其他场次封面'],
    [leftOut.duplicate, '重复'],
    [leftOut.sameBytes, '内容相同'],
  ];
  return named.filter(([number]) => number > 0).map(([number, what]) => `略去 ${number} 张${what}`);
}

function enLeftOut({ leftOut }: PictureTally): string[] {
  const named: [number, string][] = [
    [leftOut.railCover, 'covers of this season'],
    [leftOut.foreignCover, 'covers of other shows'],
    [leftOut.duplicate, 'duplicates'],
    [leftOut.sameBytes, 'with the same bytes'],
  ];
  return named.filter(([number]) => number > 0).map(([number, what]) => `left out ${number} ${what}`);
}
