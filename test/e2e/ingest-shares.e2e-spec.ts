import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { headerLines, postHead, RawConnection } from '../harness/raw-http.js';
import { type Answer, codeOf, signedHeaders, signedPost } from '../harness/signed-post.js';

const PLACES = 8;
const SHARE = PLACES / 2;
const SLOW = '203.0.113.7';
const OTHER = '203.0.113.8';

let intake: TestApp;

beforeAll(async () => {
  intake = await startIntakeApp({ env: { INTAKE_MAX_IN_FLIGHT: String(PLACES), TRUST_PROXY: '127.0.0.1' } });
});

afterAll(() => intake.close());

const post = (from: string): Promise<Answer> =>
  signedPost(`${intake.url}/ingest`, show(), { headers: { 'x-forwarded-for': from } });

/** A message that nobody signed, of which only the head comes. Node says 100 when the head is in, place or not. */
async function beginUnsigned(from: string): Promise<RawConnection> {
  const connection = await RawConnection.to(intake.port);
  const lines = {
    host: 'x',
    ...signedHeaders('', { headers: { 'webhook-signature': `v1,${'A'.repeat(43)}=` } }),
    'content-length': '1000',
    expect: '100-continue',
    'x-forwarded-for': from,
  };
  connection.send(postHead('/ingest', headerLines(lines)));
  await connection.answers(1);
  return connection;
}

/** Asks until it is answered so: a place is free again a moment after its sender has gone. */
async function untilAnswered(code: string, from: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (codeOf(await post(from)) === code) return;
  }
  throw new Error(`No answer was ${code}`);
}

describe('bodies that never end', () => {
  it('from one address take its share of the places, and the others’ messages are taken', async () => {
    const slow: RawConnection[] = [];
    for (let n = 0; n < SHARE; n++) slow.push(await beginUnsigned(SLOW));
    slow.push(await beginUnsigned(SLOW));
    const [, refused] = (await slow.at(-1)?.answers(2)) ?? [];
    expect(refused?.status).toBe(503);
    expect(refused?.body).toMatch(/intake-saturated/);
    const alike = await post(SLOW);
    expect(codeOf(alike)).toBe('503 intake-saturated');
    expect(alike.headers.get('retry-after')).toBe('1');
    for (let n = 0; n < 2 * PLACES; n++) expect((await post(OTHER)).status).toBe(202);

    for (const connection of slow) connection.hangUp();
    await untilAnswered('202', SLOW);
  });
});
