import { setTimeout as sleep } from 'node:timers/promises';

export interface JobAttempt {
  number: number;
  endedAt: string;
  result: string;
  errorCode: string | null;
  error: string | null;
}

/** An update record as GraphQL shows it. Ids are text, times ISO 8601. */
export interface UpdateRecord {
  id: string;
  kind: string;
  status: string;
  outcome: string | null;
  note: string | null;
  subject: string;
  galleryId: string | null;
  attempts: number;
  errorCode: string | null;
  lastError: string | null;
  suspect: boolean;
  createdAt: string;
  updatedAt: string;
  attemptHistory: JobAttempt[];
}

export interface Brand {
  id: string;
  hashid: string;
  name: string;
  nameZh: string | null;
}

export interface BrandRecords {
  brand: Brand;
  records: UpdateRecord[];
}

const RECORD = `fragment Record on UpdateRecord {
  id kind status outcome note subject galleryId attempts errorCode lastError suspect createdAt updatedAt
  attemptHistory { number endedAt result errorCode error }
}`;
const BRAND = 'id hashid name nameZh';
const PAGE = 100;
const POLL_MS = 200;
const JOBS_A_QUERY = 100;

/** A job that did not get there in the time that anything here may take. */
export class TookTooLong extends Error {}

/** The admin's half: everything that the demo shows is read, and every decision made, through GraphQL. */
export class ArchiveClient {
  private readonly watched = new Map<string, ((record: UpdateRecord) => void)[]>();
  private polling: Promise<void> | undefined;

  /** @param patienceMs longest wait for one job */
  constructor(
    readonly url: string,
    private readonly token: string,
    private readonly signal: AbortSignal,
    private readonly patienceMs: number,
  ) {}

  async ask<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ query, variables }),
      signal: this.signal,
    });
    const { data, errors } = (await response.json()) as { data?: T | null; errors?: { message: string }[] };
    if (data && !errors) return data;
    throw new Error(`GraphQL answered ${response.status}: ${errors?.map(({ message }) => message).join(' ') ?? ''}`);
  }

  /** The job's record once it is done or failed. All who wait share one poll. @throws TookTooLong */
  async ended(jobId: string): Promise<UpdateRecord> {
    const record = new Promise<UpdateRecord>((resolve) => {
      this.watched.set(jobId, [...(this.watched.get(jobId) ?? []), resolve]);
    });
    this.polling ??= this.poll();
    // The poll ends when nobody waits any more, or with its error, which is then everybody's.
    return Promise.race([record, this.polling.then(() => record), this.patience(jobId)]);
  }

  /** Waits for a record of a gallery's that nobody here posted, such as a clean-up. @throws TookTooLong */
  async cleanUpOf(galleryId: string): Promise<UpdateRecord> {
    const until = Date.now() + this.patienceMs;
    while (Date.now() < until) {
      const { jobs } = await this.ask<{ jobs: { nodes: { id: string; galleryId: string | null }[] } }>(
        `query ($first: Int!) { jobs(first: $first, kind: ["media_cleanup"]) { nodes { id galleryId } } }`,
        { first: PAGE },
      );
      const job = jobs.nodes.find((node) => node.galleryId === galleryId);
      if (job) return this.ended(job.id);
      await sleep(POLL_MS, undefined, { signal: this.signal });
    }
    throw new TookTooLong(`No clean-up of gallery ${galleryId} was enqueued`);
  }

  /** Every brand, with the names that it goes by. */
  async brands(): Promise<(Brand & { names: string[] })[]> {
    const brands: (Brand & { names: string[] })[] = [];
    for (let after: string | null = null; ;) {
      const page: BrandPage = await this.ask(
        `query ($first: Int!, $after: String) { brands(first: $first, after: $after) {
           nodes { ${BRAND} aliases { alias } } pageInfo { hasNextPage endCursor } } }`,
        { first: PAGE, after },
      );
      for (const { aliases, ...brand } of page.brands.nodes) {
        brands.push({ ...brand, names: aliases.map(({ alias }) => alias) });
      }
      after = page.brands.pageInfo.endCursor;
      if (!page.brands.pageInfo.hasNextPage) return brands;
    }
  }

  /** The newest update records of every brand. A query each: a hundred records of a hundred brands cost more than one may. */
  async recordsOfBrands(): Promise<BrandRecords[]> {
    const found: BrandRecords[] = [];
    for (const { names: _names, ...brand } of await this.brands()) {
      const { brand: page } = await this.ask<{ brand: { updateRecords: { nodes: UpdateRecord[] } } }>(
        `query ($id: ID!, $first: Int!) { brand(id: $id) { updateRecords(first: $first) { nodes { ...Record } } } } ${RECORD}`,
        { id: brand.id, first: PAGE },
      );
      found.push({ brand, records: page.updateRecords.nodes });
    }
    return found;
  }

  async streetStyleRecords(): Promise<UpdateRecord[]> {
    const { streetStyleUpdateRecords } = await this.ask<{ streetStyleUpdateRecords: { nodes: UpdateRecord[] } }>(
      `query ($first: Int!) { streetStyleUpdateRecords(first: $first) { nodes { ...Record } } } ${RECORD}`,
      { first: PAGE },
    );
    return streetStyleUpdateRecords.nodes;
  }

  async publish(galleryId: string): Promise<void> {
    await this.ask('mutation ($id: ID!) { publishGallery(id: $id) { id } }', { id: galleryId });
  }

  async reject(galleryId: string, reason: string): Promise<void> {
    await this.ask('mutation ($id: ID!, $reason: String!) { rejectGallery(id: $id, reason: $reason) { id } }', {
      id: galleryId,
      reason,
    });
  }

  async delete(galleryId: string): Promise<void> {
    await this.ask('mutation ($id: ID!) { deleteGallery(id: $id) { id } }', { id: galleryId });
  }

  /** In one request, so that no slow moment of ours can outlast the trash time in between. */
  async deleteAndRestore(galleryId: string): Promise<void> {
    await this.ask('mutation ($id: ID!) { deleteGallery(id: $id) { id } restoreGallery(id: $id) { id } }', {
      id: galleryId,
    });
  }

  async retry(jobId: string): Promise<void> {
    await this.ask('mutation ($id: ID!) { retryJob(id: $id) { id } }', { id: jobId });
  }

  /** Where the cover's bytes are. */
  async coverUrl(galleryId: string): Promise<string | undefined> {
    const { gallery } = await this.ask<{ gallery: { cover: { url: string | null } | null } | null }>(
      'query ($id: ID!) { gallery(id: $id) { cover { url } } }',
      { id: galleryId },
    );
    const path = gallery?.cover?.url;
    return path ? this.url + path : undefined;
  }

  private async poll(): Promise<void> {
    try {
      while (this.watched.size > 0) {
        for (const record of await this.jobs([...this.watched.keys()])) {
          if (record.status !== 'done' && record.status !== 'failed') continue;
          const waiting = this.watched.get(record.id) ?? [];
          this.watched.delete(record.id);
          for (const resolve of waiting) resolve(record);
        }
        if (this.watched.size > 0) await sleep(POLL_MS, undefined, { signal: this.signal });
      }
    } finally {
      // In the same breath as the last look at who waits: nobody may join a poll that has ended.
      this.polling = undefined;
    }
  }

  private async jobs(ids: readonly string[]): Promise<UpdateRecord[]> {
    const records: UpdateRecord[] = [];
    for (let at = 0; at < ids.length; at += JOBS_A_QUERY) {
      const asked = ids.slice(at, at + JOBS_A_QUERY).map((id) => `j${id}: job(id: "${id}") { ...Record }`);
      const found = await this.ask<Record<string, UpdateRecord | null>>(`{ ${asked.join(' ')} } ${RECORD}`);
      records.push(...Object.values(found).filter((record) => record !== null));
    }
    return records;
  }

  private async patience(jobId: string): Promise<never> {
    await sleep(this.patienceMs, undefined, { signal: this.signal, ref: false });
    this.watched.delete(jobId);
    throw new TookTooLong(`Job ${jobId} did not end within ${Math.round(this.patienceMs / 1000)} s`);
  }
}

interface BrandPage {
  brands: {
    nodes: (Brand & { aliases: { alias: string }[] })[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}
