import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_LINE } from '../../src/auth/actor.js';
import { Webhook } from 'standardwebhooks';
import { CrawlersService } from '../../src/ingest/crawlers.service.js';
import type { TestApp } from '../harness/app.js';
import { show, startIntakeApp } from '../harness/intake-app.js';
import { signedHeaders, signedPost } from '../harness/signed-post.js';
import { DEV_CRAWLER_SECRET } from '../harness/test-config.js';

const SECOND_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let intake: TestApp;
let door: string;

beforeAll(async () => {
  intake = await startIntakeApp();
  door = `${intake.url}/ingest`;
  await intake.app.get(CrawlersService, { strict: false }).add(COMMAND_LINE, 'second', SECOND_SECRET);
});

afterAll(() => intake.close());

async function jobOf(id: unknown): Promise<Record<string, unknown>> {
  const [job] = await intake.db.query('SELECT * FROM ingest_jobs WHERE id = $1', [id]);
  if (job === undefined) throw new Error(`There is no job ${String(id)}`);
  return job;
}

describe('a signed message', () => {
  it('is answered 202, and is in the database by then', async () => {
    const { status, body } = await signedPost(door, show({ title: 'Fall 2026', colour: 'red' }), {
      id: 'msg_first_of_all',
    });
    const job = await jobOf(body['job_id']);
    const [message] = await intake.db.query<Record<string, unknown>>(
      `SELECT * FROM ingest_messages WHERE message_id = 'msg_first_of_all'`,
    );

    expect(status).toBe(202);
    expect(body).toEqual({
      job_id: expect.stringMatching(/^[1-9]\d*$/),
      status: 'pending',
      duplicate: false,
      received_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.000)?Z$/),
      subject: 'Maison Éclair · Fall 2026',
      warnings: ['/data/colour is not known and was ignored'],
    });
    expect(job).toMatchObject({
      status: 'pending',
      kind: 'test-show',
      brand_id: '7',
      brandless: false,
      subject: 'Maison Éclair · Fall 2026',
      subject_key: '7/Fall 2026',
      submitted_by: 'dev',
    });
    expect(message).toMatchObject({ job_id: body['job_id'], subject: body['subject'], warnings: body['warnings'] });
    expect(new Date(Number(message?.['received_at']) * 1000).toISOString()).toBe(body['received_at']);
  });

  it('of a type without a brand becomes a job that is brandless on purpose', async () => {
    const { status, body } = await signedPost(door, show({ brand: undefined }, 'test.street'));
    expect(status).toBe(202);
    expect(await jobOf(body['job_id'])).toMatchObject({ brand_id: '0', brandless: true, kind: 'test-street' });
  });

  it('is taken as the standardwebhooks library sends it', async () => {
    const body = JSON.stringify(show());
    const id = `msg_${randomUUID()}`;
    const now = new Date();
    const response = await fetch(door, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(DEV_CRAWLER_SECRET).sign(id, now, body),
      },
    });
    expect(response.status).toBe(202);
  });

  it.each([
    [
      'Chinese, emoji, and é both composed and decomposed',
      JSON.stringify(show({ title: '春夏 👩‍🎤👠 \u00e9 e\u0301 𠮷' })),
    ],
    [
      'escapes where letters would do',
      '{"type":"test.show","timestamp":"2026-11-30T08:00:00Z","data":{"title":"\\u79c0\\ud83d\\udc60","brand_id":7}}',
    ],
    ['pretty print', JSON.stringify(show(), undefined, '\t')],
    [
      'another order of keys, and numbers as somebody wrote them',
      '{ "data": {"brand_id": 7 , "title":"x", "filler":[1.0,1e2,-0.0]}, "timestamp" :"2026-11-30T08:00:00.5+01:00","type":"test.show"}\r\n',
    ],
  ])('is kept byte for byte: %s', async (_, text) => {
    const { status, body } = await signedPost(door, text);
    expect(status).toBe(202);
    expect((await jobOf(body['job_id']))['payload']).toBe(text);
  });

  it('may begin with one byte-order mark, which is signed and not kept', async () => {
    const text = JSON.stringify(show());
    const { status, body } = await signedPost(door, `\uFEFF${text}`);
    expect(status).toBe(202);
    expect((await jobOf(body['job_id']))['payload']).toBe(text);
  });

  it('may be 900 KB long', async () => {
    const text = JSON.stringify(show({ filler: '秀'.repeat(300_000) }));
    const { status, body } = await signedPost(door, text);
    expect(status).toBe(202);
    expect((await jobOf(body['job_id']))['payload']).toBe(text);
  });

  it('may be signed with several entries, of which one is right', async () => {
    const text = JSON.stringify(show());
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    const signed = signedHeaders(text);
    const headers = { ...signed, 'webhook-signature': `${wrong} v9,later ${signed['webhook-signature']}` };
    expect((await fetch(door, { method: 'POST', body: text, headers })).status).toBe(202);
  });
});

describe('the archive’s own types', () => {
  const images = ['https://pictures.example/1.jpg'];

  it('come in by the same door: a show', async () => {
    const data = { brand: 'Maison Éclair', title: 'Fall 2026 Ready-to-Wear Paris', images };
    const { status, body } = await signedPost(door, show(data, 'runway.show'));
    expect({ status, subject: body['subject'] }).toEqual({ status: 202, subject: '2026 秋冬 · 高级成衣 · 巴黎' });
    expect(await jobOf(body['job_id'])).toMatchObject({ kind: 'crawl', brand_id: '7', brandless: false });
  });

  it('come in by the same door: a street-style gallery', async () => {
    const data = { brand: undefined, title: 'Paris Fall 2026 Street Style Day 3', images };
    const { status, body } = await signedPost(door, show(data, 'street.gallery'));
    expect(status).toBe(202);
    expect(await jobOf(body['job_id'])).toMatchObject({ kind: 'crawl', brand_id: '0', brandless: true });
  });
});

describe('the same message again', () => {
  it('gets the first answer, with the job’s status of now', async () => {
    const id = `msg_${randomUUID()}`;
    const first = await signedPost(door, show({ spare: 1 }), { id });
    await intake.db.query(`UPDATE ingest_jobs SET status = 'done', outcome = 'created' WHERE id = $1`, [
      first.body['job_id'],
    ]);
    const again = await signedPost(door, show({ spare: 1 }), { id });
    expect(again.status).toBe(202);
    expect(again.body).toEqual({ ...first.body, status: 'done', duplicate: true });
  });

  it('gets it although its brand is not known any more', async () => {
    const id = `msg_${randomUUID()}`;
    const street = { id: 'msg_of_a_brand_that_goes' };
    await intake.db.query(
      `INSERT INTO brands (id, name, slug, created_at, updated_at) VALUES (99, 'Gone', 'gone', 1, 1)`,
    );
    const first = await signedPost(door, show({ brand: undefined, brand_id: 99 }), { id });
    await intake.db.query('DELETE FROM brands WHERE id = 99');
    const again = await signedPost(door, show({ brand: undefined, brand_id: 99 }), { id });
    const fresh = await signedPost(door, show({ brand: undefined, brand_id: 99 }), street);
    expect([first.status, again.status, fresh.status]).toEqual([202, 202, 422]);
    expect(again.body['job_id']).toBe(first.body['job_id']);
  });

  it('posted 50 times at once is one job and 50 times 202', async () => {
    const id = `msg_${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => signedPost(door, show({ title: 'fifty' }), { id })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(202));
    expect(new Set(answers.map((answer) => answer.body['job_id'])).size).toBe(1);
    expect(answers.filter((answer) => !answer.body['duplicate'])).toHaveLength(1);
    expect(await intake.db.query(`SELECT id FROM ingest_jobs WHERE subject_key = '7/fifty'`)).toHaveLength(1);
  });

  it('of another crawler is another message', async () => {
    const id = `msg_${randomUUID()}`;
    const ours = await signedPost(door, show(), { id });
    const theirs = await signedPost(door, show(), { id, secret: SECOND_SECRET, crawler: 'second' });
    expect([ours.status, theirs.status]).toEqual([202, 202]);
    expect(theirs.body['job_id']).not.toBe(ours.body['job_id']);
    expect((await jobOf(theirs.body['job_id']))['submitted_by']).toBe('second');
  });
});
