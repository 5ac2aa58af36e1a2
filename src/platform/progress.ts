/** As much of process.stderr as is needed. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

const BAR = 24;
const STEPS = 10;
const LINE_EVERY = 10_000;

/**
 * How far a command is: a bar that moves on a terminal, now and then a line in a log. Whoever prints in between clears it
 * first.
 */
export class Progress {
  private isDrawn = false;
  private last = '';

  constructor(private readonly terminal: Terminal) {}

  /** @param total undefined when nobody knows how many there are */
  show(what: string, done: number, total?: number): void {
    if (this.terminal.isTTY) {
      this.terminal.write(
        `\r\u001b[K${total === undefined ? '' : `${bar(done, total)} `}${counted(what, done, total)}`,
      );
      this.isDrawn = true;
      return;
    }
    const step = total === undefined ? Math.floor(done / LINE_EVERY) : Math.floor((done / Math.max(1, total)) * STEPS);
    const mark = `${what} ${step}`;
    if (mark === this.last || step === 0) return;
    this.last = mark;
    this.terminal.write(`${counted(what, done, total)}\n`);
  }

  clear(): void {
    if (this.isDrawn) this.terminal.write('\r\u001b[K');
    this.isDrawn = false;
  }
}

function bar(done: number, total: number): string {
  const full = total === 0 ? BAR : Math.min(BAR, Math.floor((done / total) * BAR));
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}]`;
}

function counted(what: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${done} ${what}`;
  return `${done} of ${total} ${what}, ${total === 0 ? 100 : Math.floor((done / total) * 100)} %`;
}
