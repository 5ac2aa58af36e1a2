#!/usr/bin/env node
/**
 * Sends shows to the archive: one JSON object a line, from a file or from stdin.
 *
 *     INGEST_CRAWLER=my-crawler INGEST_SECRET=whsec_... node send.mjs shows.jsonl
 *
 * A line is the `data` of a message, or a whole message with `type`, `timestamp` and `data`. What the archive has already
 * is not sent. Exits with 0 when every line was accepted or known, with 1 when not, with 2 when it was called wrongly.
 * Node 20 or later, and no package. Yours to copy and change.
 */
import { Buffer } from 'node:buffer';
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { TextDecoder } from 'node:util';

const {
  INGEST_URL = 'http://127.0.0.1:8092/ingest',
  INGEST_CRAWLER = '',
  INGEST_SECRET = '',
  INGEST_TYPE = 'runway.show', // of lines that are data alone
  INGEST_TRIES = '6',
  INGEST_BACKOFF = '1', // seconds before the second try; doubles from there
  INGEST_CLOCK_OFFSET = '0', // seconds that this machine's clock is known to be behind
} = process.env;

const LONGEST_BACKOFF = 60;
const LONGEST_WAIT = 300; // a door that asks for more is left alone until the next run
const TIMEOUT_MS = 30_000;
const SHOWS_A_QUESTION = 100;

// Worth a crawl: what the archive has not, and what an editor turned down.
const WANTED = ['none', 'rejected'];
const BRAND = ['brand', 'brand_id', 'brand_hashid'];
const ASKED = [...BRAND, 'season', 'title', 'year', 'term', 'category', 'market', 'source'];

/** Going on is no use: the door is closed, or it is us that it does not let in. */
class Stop extends Error {}

/** What the door said; status 0 when it said nothing. */
class Answer {
  constructor(status, headers, text, trouble = '') {
    this.status = status;
    this.headers = headers;
    this.trouble = trouble;
    this.document = objectIn(text) ?? {}; // a proxy's page is none
    this.code = String(this.document.type ?? '').replace(/^.*:/, '');
  }

  get isGood() {
    return this.status >= 200 && this.status < 300;
  }

  get isWorthARetry() {
    return [0, 408, 425, 429].includes(this.status) || this.status >= 500;
  }

  toString() {
    if (this.status === 0) return `no answer: ${this.trouble}`;
    return `${[this.status, this.code].filter(Boolean).join(' ')}: ${this.document.detail ?? 'no detail'}`;
  }
}

class Door {
  constructor(url, crawler, key, clockOffset) {
    this.url = url;
    this.crawler = crawler;
    this.key = key;
    this.clockOffset = clockOffset;
  }

  /** Unix seconds, with a fraction. */
  now() {
    return Date.now() / 1000 + this.clockOffset;
  }

  /** Posts until there is an answer that counts. @throws Stop when there is none */
  async post(path, body) {
    // One id for all tries of a message, so that it becomes one job whatever gets lost on the way. It is made of nothing
    // but chance: an id made of the content would, after an editor has rejected a show, name the old message for ever, and
    // a new crawl of the show would be answered with the old job.
    const id = `msg_${randomUUID()}`;
    let clockWasSet = false;
    for (let tries = 1; ; tries++) {
      let answer = await this.tryOnce(path, id, body);
      if (answer.code === 'timestamp-out-of-window' && !clockWasSet && this.setClock(answer)) {
        clockWasSet = true;
        answer = await this.tryOnce(path, id, body);
      }
      if (!answer.isWorthARetry) return answer;
      if (tries >= Number(INGEST_TRIES)) throw new Stop(`gave up after ${tries} tries: ${answer}`);
      await this.wait(answer, tries);
    }
  }

  async tryOnce(path, id, body) {
    // Signed anew for every try: a timestamp older than five minutes is refused.
    const timestamp = String(Math.floor(this.now()));
    const mac = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64');
    try {
      const response = await fetch(this.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${mac}`,
          'x-ingest-crawler': this.crawler,
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return new Answer(response.status, response.headers, await response.text());
    } catch (error) {
      return new Answer(0, undefined, '', error.cause?.message ?? error.message);
    }
  }

  /** @returns false when the answer does not say what time it is */
  setClock(answer) {
    const theirs = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(theirs)) return false;
    this.clockOffset = (theirs - Date.now()) / 1000;
    remark(`this clock is ${Math.round(-this.clockOffset)} s off; going by the door's from here on`);
    return true;
  }

  /** As long as the door asks, and else twice as long each time. With some chance in it, so that many don't come back at once. */
  async wait(answer, tries) {
    const asked = retryAfter(answer.headers?.get('retry-after'), this.now());
    if (asked > LONGEST_WAIT) throw new Stop(`the door asks to wait for ${Math.ceil(asked)} s: ${answer}`);
    const backoff = Number(INGEST_BACKOFF);
    const grown = Math.min(backoff * 2 ** (tries - 1), LONGEST_BACKOFF);
    const seconds = asked > 0 ? asked + Math.random() * Math.min(backoff, 1) : grown * (0.5 + Math.random() / 2);
    remark(`${answer}; again in ${seconds.toFixed(1)} s`);
    await sleep(seconds * 1000);
  }
}

/** Seconds, from seconds or from a date; 0 when it is neither. */
function retryAfter(value, now) {
  if (/^\d+$/.test(value ?? '')) return Number(value);
  return Math.max(0, Date.parse(value ?? '') / 1000 - now) || 0;
}

/** The bytes to sign with; undefined when the secret is none. */
function keyOf(secret) {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? [];
  return text === '' ? undefined : Buffer.from(text, 'base64');
}

/** The object that a text is in JSON; undefined when it is none. */
function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** ISO 8601, without the fraction. */
function timeText(unixSeconds) {
  return new Date(unixSeconds * 1000).toISOString().replace(/\.\d+/, '');
}

function remark(words) {
  process.stderr.write(`${words}\n`);
}

/** A line of the input. */
class Show {
  constructor(line, number) {
    this.line = line;
    this.number = number;
    const value = objectIn(line);
    this.isObject = value !== undefined;
    this.isMessage = typeof value?.type === 'string' && isObject(value.data);
    this.data = (this.isMessage ? value.data : value) ?? {};
  }

  /** The line goes out as it came in: what is signed is bytes, and no number in it is read and written anew. */
  body(now) {
    if (this.isMessage) return this.line;
    return `{"type":${JSON.stringify(INGEST_TYPE)},"timestamp":"${timeText(now)}","data":${this.line}}`;
  }

  /** The show without its pictures; undefined when it has no name to ask by. */
  question() {
    const asked = Object.fromEntries(ASKED.filter((name) => this.data[name]).map((name) => [name, this.data[name]]));
    const hasBrand = BRAND.some((name) => asked[name]);
    const hasSeason = asked.season || asked.title || (asked.year && asked.term);
    const hasPage = asked.source?.url || asked.source?.external_id;
    return (hasBrand && hasSeason) || hasPage ? asked : undefined;
  }

  say(words, ...more) {
    process.stdout.write(`${this.number}: ${words}\n${more.map((line) => `   ${line}\n`).join('')}`);
  }
}

/** What the archive knows of the shows. A question that is refused is no reason not to send. */
async function askKnown(door, shows) {
  const asked = shows.filter((show) => show.question() !== undefined);
  if (asked.length === 0) return new Map();
  const data = { shows: asked.map((show) => show.question()) };
  const body = JSON.stringify({ type: 'show.known', timestamp: timeText(door.now()), data });
  const answer = await door.post('/known', body);
  if (answer.isGood) return new Map(asked.map((show, place) => [show, answer.document.shows?.[place]]));
  if (answer.status !== 413 && answer.status !== 422) throw new Stop(answer);
  remark(`could not ask what is known (${answer}); sending`);
  return new Map();
}

/** Sends one show and says what became of it. @returns whether it was accepted */
async function send(door, show) {
  const answer = await door.post('', show.body(door.now()));
  const { job_id, duplicate, subject, warnings = [], errors = [] } = answer.document;
  if (answer.isGood) {
    const again = duplicate ? ' (an earlier try had arrived)' : '';
    show.say(`accepted as job ${job_id}${again}: ${subject}`, ...warnings.map((warning) => `warning: ${warning}`));
    return true;
  }
  // These two are about one message. All others are about us, and the next message would be answered alike.
  if (answer.status !== 413 && answer.status !== 422) throw new Stop(answer);
  const problems = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const hints = ['limit_bytes', 'near', 'brands'].filter((name) => name in answer.document);
  const members = hints.map((name) => `${name}: ${JSON.stringify(answer.document[name])}`);
  show.say(`refused, ${answer}`, ...problems, ...members);
  return false;
}

async function run(door, text) {
  const shows = text
    .split('\n')
    .map((line, index) => new Show(line.trim(), index + 1))
    .filter(({ line }) => line !== '');
  const counts = { accepted: 0, known: 0, refused: 0 };
  try {
    for (let start = 0; start < shows.length; start += SHOWS_A_QUESTION) {
      const some = shows.slice(start, start + SHOWS_A_QUESTION);
      const known = await askKnown(door, some);
      for (const show of some) {
        const { state, subject } = known.get(show) ?? { state: 'none' };
        if (!show.isObject) {
          show.say('refused, it is no JSON object');
          counts.refused++;
        } else if (!WANTED.includes(state)) {
          show.say(`known, ${state}: ${subject}`);
          counts.known++;
        } else {
          counts[(await send(door, show)) ? 'accepted' : 'refused']++;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    remark(`Stopped: ${error.message}`);
  }
  const { accepted, known, refused } = counts;
  const rest = shows.length - accepted - known - refused;
  remark(`${shows.length} shows: ${accepted} accepted, ${known} known, ${refused} refused, ${rest} not sent`);
  return refused === 0 && rest === 0 ? 0 : 1;
}

async function main([file = '-', ...more]) {
  const key = keyOf(INGEST_SECRET);
  const areNumbers = [INGEST_TRIES, INGEST_BACKOFF, INGEST_CLOCK_OFFSET].every((text) => Number.isFinite(Number(text)));
  if (more.length > 0 || INGEST_CRAWLER === '' || key === undefined || !areNumbers) {
    remark('Usage: INGEST_CRAWLER=name INGEST_SECRET=whsec_... node send.mjs [shows.jsonl]');
    return 2;
  }
  const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
  const door = new Door(INGEST_URL.replace(/\/+$/, ''), INGEST_CRAWLER, key, Number(INGEST_CLOCK_OFFSET));
  return run(door, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

process.exitCode = await main(process.argv.slice(2));
