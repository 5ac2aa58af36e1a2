import { rm } from 'node:fs/promises';

export default async function teardown() {
  const embedded = globalThis.embeddedForTests;
  if (embedded === undefined) return;
  globalThis.embeddedForTests = undefined;
  await embedded.server.stop();
  await rm(embedded.folder, { recursive: true, force: true });
}
