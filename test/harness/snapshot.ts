import { readFile, writeFile } from 'node:fs/promises';
import { expect } from '@jest/globals';

const HOW = 'If it was meant to change, write it anew with "npm run snapshots", and let the diff be reviewed.';

/**
 * Compares a text with the committed file, or writes the file when UPDATE_SNAPSHOTS is set. Own code and not jest's
 * snapshots, whose files are wrapped in a template that no editor colours and no reviewer likes.
 */
export async function expectSnapshot(file: URL, text: string): Promise<void> {
  if (process.env['UPDATE_SNAPSHOTS'] === '1') await writeFile(file, text);
  const committed = await readFile(file, 'utf8').catch(() => '');
  const name = file.pathname.split('/').at(-1);
  try {
    expect(text).toBe(committed);
  } catch (error) {
    throw new Error(`${name} is not what the application is now. ${HOW}\n\n${(error as Error).message}`, {
      cause: error,
    });
  }
}
