import { createHash, randomBytes } from 'node:crypto';
import { messageOf } from '../lib/text.js';
import type { Clock } from '../platform/clock/clock.js';
import type { MediaConfig, S4Config } from '../platform/config/config.js';
import { assertObjectKey } from './object-key.js';
import type { ObjectStore } from './object-store.js';
import { openObjectStore } from './open-object-store.js';

const BYTES = 64 * 1024;
const FETCH_MS = 30_000;

/** Done, or in words what is wrong. */
type Step = [name: string, work: () => Promise<string | undefined>];

/**
 * `npm run media:check`: does to the configured store, with an object of its own, all that the service will do to it. Needs
 * no database, so that a store can be proved before anything else is there.
 * @returns the exit code: 0 when the store can be used, 1 when not
 */
export async function runMediaCheckCommand(
  media: MediaConfig,
  clock: Clock,
  out: { print: (line: string) => void },
): Promise<number> {
  const { s4 } = media;
  out.print(
    s4 === undefined ? `Pictures are files in ${media.directory}` : `Pictures go to ${s4.bucket} at ${s4.endpoint}`,
  );
  let wrong = 0;
  for (const [name, work] of steps(openObjectStore(media, clock), clock, addressesOf(s4))) {
    const problem = await work().catch(messageOf);
    if (problem !== undefined) wrong++;
    out.print(problem === undefined ? `  ok     ${name}` : `  WRONG  ${name}: ${problem}`);
    if (problem !== undefined && name === 'put') {
      out.print('  The rest is not tried.');
      break;
    }
  }
  out.print(wrong === 0 ? 'The store can be used.' : 'The store cannot be used like this.');
  return wrong === 0 ? 0 : 1;
}

/** Whom the store gives addresses to; a folder has none. */
function addressesOf(s4: S4Config | undefined): ('the admin' | 'everybody')[] {
  if (s4 === undefined) return [];
  return s4.publicBaseUrl === undefined ? ['the admin'] : ['the admin', 'everybody'];
}

function steps(store: ObjectStore, clock: Clock, addresses: ReturnType<typeof addressesOf>): Step[] {
  const bytes = randomBytes(BYTES);
  const folder = `media_check/${clock.seconds()}/`;
  // A key that no job will ever have.
  const key = assertObjectKey(`${folder}0-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.jpg`);
  const compared = (found: Buffer): string | undefined =>
    found.equals(bytes) ? undefined : `what came back (${found.length} bytes) is not what was put (${BYTES} bytes)`;
  const fetched = async (forEveryone: boolean): Promise<string | undefined> => {
    const address = await store.address(key, forEveryone);
    return address === undefined ? 'there is none' : compared(await fetchPlainly(address.url));
  };
  return [
    ['put', () => store.put(key, bytes, 'image/jpeg').then(nothing)],
    ['get, and compare', async () => compared(await store.get(key))],
    ['exists', async () => ((await store.exists(key)) ? undefined : 'the object that was put is not there')],
    ['list', async () => ((await lists(store, folder, key)) ? undefined : 'the object that was put is not listed')],
    ...addresses.map((whom): Step => [`address for ${whom}`, () => fetched(whom === 'everybody')]),
    ['delete', async () => ((await store.remove(key)) === 'removed' ? undefined : 'there was nothing to delete')],
    ['is gone', async () => ((await store.exists(key)) ? 'the object that was deleted is still there' : undefined)],
  ];
}

async function lists(store: ObjectStore, prefix: string, key: string): Promise<boolean> {
  for await (const object of store.list(prefix)) if (object.key === key) return true;
  return false;
}

/** As a browser would, with nothing but the address. */
async function fetchPlainly(url: string): Promise<Buffer> {
  // Without the query, which has the signature.
  const shown = url.split('?')[0] ?? '';
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Error(`${shown} cannot be reached: ${messageOf(cause)}`);
  });
  if (answer.status !== 200) throw new Error(`${shown} answers ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

function nothing(): undefined {
  return undefined;
}
