import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GalleriesApp, startGalleriesApp } from '../harness/galleries-app.js';
import { slowDown } from '../harness/s3-faults.js';
import { type S3Server, startS3Server } from '../harness/s3-server.js';
import { ADMIN_TOKEN } from '../harness/test-config.js';

let s3: S3Server;
let archive: GalleriesApp;

beforeAll(async () => {
  s3 = await startS3Server();
  archive = await startGalleriesApp({ ...s3.env, S4_PREFIX: 'archive' });
});
afterAll(async () => {
  await archive.close();
  await s3.close();
});

async function archived(season: string): Promise<{ galleryId: string; keys: string[] }> {
  const folder = season.replaceAll(' ', '-').toLowerCase();
  const id = await archive.postShow({ season, images: archive.looks(folder, 3) });
  await archive.drain();
  const { outcome, gallery_id: galleryId } = await archive.job(id);
  expect(outcome).toBe('created');
  const rows = await archive.db.query<{ object_key: string }>(
    'SELECT object_key FROM gallery_pictures WHERE gallery_id = $1 ORDER BY position',
    [galleryId],
  );
  return { galleryId: galleryId ?? '', keys: rows.map((row) => row.object_key) };
}

const mutate = (mutation: string, id: string): Promise<unknown> =>
  archive.ask(`mutation ($id: ID!) { ${mutation}(id: $id) { id } }`, { id });

const media = (key: string, token?: string): Promise<Response> =>
  fetch(`${archive.url}/media/${key}`, {
    redirect: 'manual',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

describe('with a bucket for the pictures', () => {
  it('a show goes there whole, and its editors are sent there', async () => {
    const { keys } = await archived('Fall 2020 Ready-to-Wear');
    const [key = ''] = keys;
    const inBucket = [...s3.objects.keys()];
    expect(inBucket).toEqual(expect.arrayContaining(keys.map((one) => `archive/${one}`)));
    expect(inBucket.filter((one) => !one.startsWith('archive/runway/'))).toEqual([]);
    expect(await archive.objects()).toEqual([]);
    const original = await archive.origin.picture('/fall-2020-ready-to-wear/look-1.jpg');
    expect(s3.objects.get(`archive/${key}`)?.bytes.equals(original)).toBe(true);

    expect((await media(key)).status).toBe(404);
    const sent = await media(key, ADMIN_TOKEN);
    expect(sent.status).toBe(302);
    expect(sent.headers.get('cache-control')).toBe('private, max-age=300');
    const address = sent.headers.get('location') ?? '';
    expect(address).toContain(`${s3.endpoint}/pictures/archive/${key}?`);
    const answer = await fetch(address);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(Buffer.from(await answer.arrayBuffer()).equals(original)).toBe(true);
  });

  it('everybody is sent to what is published, and nobody any more when it is deleted', async () => {
    const { galleryId, keys } = await archived('Fall 2021 Ready-to-Wear');
    await mutate('publishGallery', galleryId);
    const sent = await media(keys[0] ?? '');
    expect([sent.status, sent.headers.get('cache-control')]).toEqual([302, 'public, max-age=300']);
    expect((await fetch(sent.headers.get('location') ?? '')).status).toBe(200);
    await mutate('deleteGallery', galleryId);
    expect((await media(keys[0] ?? '')).status).toBe(404);
  });

  it('a deleted gallery is removed there after its time in the trash', async () => {
    const { galleryId, keys } = await archived('Fall 2022 Ready-to-Wear');
    await mutate('deleteGallery', galleryId);
    await archive.letTimePass();
    for (const key of keys) expect(s3.objects.has(`archive/${key}`)).toBe(false);
  });

  it('a job waits for a store that asks to be left alone, and burns no attempt', async () => {
    s3.play(slowDown(90), { method: 'PUT', times: 3 });
    const id = await archive.postShow({ season: 'Fall 2023 Ready-to-Wear', images: archive.looks('busy', 3) });
    await archive.drain();
    expect(await archive.job(id)).toMatchObject({ status: 'pending', attempts: 0, error_code: 'store_unavailable' });
    const asked = archive.origin.total;
    await archive.letTimePass();
    expect(await archive.job(id)).toMatchObject({ status: 'done', outcome: 'created', attempts: 1 });
    expect(archive.origin.total).toBeGreaterThan(asked);
  });

  it('no credential is in any row', async () => {
    const rows = await archive.db.query(
      `SELECT j.last_error, j.note, a.error FROM ingest_jobs j LEFT JOIN ingest_job_attempts a ON a.job_id = j.id`,
    );
    expect(JSON.stringify(rows)).toContain('SlowDown');
    expect(JSON.stringify(rows)).not.toContain(s3.secretAccessKey);
    expect(JSON.stringify(rows)).not.toContain(s3.accessKeyId);
  });
});

describe('with a bucket that everybody reads', () => {
  it('what is published is shown from there, and the rest is not', async () => {
    const shown = await startGalleriesApp({ ...s3.env, S4_PUBLIC_BASE_URL: 'https://pictures.example.org' });
    try {
      const id = await shown.postShow({ season: 'Fall 2024 Ready-to-Wear', images: shown.looks('public', 1) });
      await shown.drain();
      const { gallery_id: galleryId } = await shown.job(id);
      const [picture] = await shown.db.query<{ object_key: string }>('SELECT object_key FROM gallery_pictures');
      const location = async (): Promise<string> => {
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
        const answer = await fetch(`${shown.url}/media/${picture?.object_key}`, { redirect: 'manual', headers });
        return answer.headers.get('location') ?? '';
      };
      expect(await location()).toContain('X-Amz-Signature');
      await shown.ask('mutation ($id: ID!) { publishGallery(id: $id) { id } }', { id: galleryId });
      expect(await location()).toBe(`https://pictures.example.org/${picture?.object_key}`);
    } finally {
      await shown.close();
    }
  });
});
