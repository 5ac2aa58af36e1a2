/** A way to be turned away at the door. */
export interface DoorProblem {
  code: string;
  status: number;
  /** What it means, and what to do about it. */
  words: string;
  /** Questions are never answered so. */
  ofMessagesOnly?: true;
  /** Members that its document has beside those of every problem. */
  members?: Readonly<Record<string, unknown>>;
}

/**
 * Every code that the door answers with, whoever throws it. Codes are a contract with programs: they are never renamed, and
 * a test compares this table with what the sources throw.
 */
export const DOOR_PROBLEMS: readonly DoorProblem[] = [
  { code: 'malformed-request', status: 400, words: 'No whole HTTP request came. Look at what sends it.' },
  {
    code: 'signature-missing',
    status: 401,
    words: 'Send all of webhook-id, webhook-timestamp and webhook-signature.',
  },
  {
    code: 'signature-malformed',
    status: 401,
    words: 'A signed header has another form, or came twice. The detail says which.',
  },
  {
    code: 'timestamp-out-of-window',
    status: 401,
    words: 'Your clock is off. Set it by the Date of this answer, sign anew and send once more.',
  },
  {
    code: 'signature-mismatch',
    status: 401,
    words:
      'No live secret of this crawler made the signature. Sign the very bytes that you send; check secret and name.',
  },
  { code: 'crawler-required', status: 401, words: 'Many secrets are live here. Send your name in x-ingest-crawler.' },
  {
    code: 'crawler-switched-off',
    status: 403,
    words: 'The signature is right, and the crawler is switched off. Ask the archive’s operator.',
  },
  { code: 'not-found', status: 404, words: 'There is nothing at this address.' },
  { code: 'method-not-allowed', status: 405, words: 'The address takes the methods in Allow.' },
  { code: 'request-timeout', status: 408, words: 'The request did not come whole in time.' },
  {
    code: 'body-too-large',
    status: 413,
    words: 'The body is longer than limit_bytes. Send less, one show a message.',
    members: { limit_bytes: 1_048_576 },
  },
  {
    code: 'content-type-unsupported',
    status: 415,
    words: 'Send content-type application/json, with charset=utf-8 or none.',
  },
  { code: 'content-encoding-unsupported', status: 415, words: 'Send the body as it is, not packed.' },
  { code: 'body-not-utf8', status: 422, words: 'Encode the body as UTF-8, and sign those bytes.' },
  { code: 'body-not-json', status: 422, words: 'Send one JSON object with type, timestamp and data.' },
  { code: 'body-too-complex', status: 422, words: 'The body is nested too deep or has too many values.' },
  {
    code: 'body-forbidden-key',
    status: 422,
    words: 'A key stands twice in one object, or reaches for a prototype (__proto__, constructor.prototype).',
  },
  { code: 'type-unknown', status: 422, words: 'There is no message type of this name.' },
  { code: 'type-not-here', status: 422, words: 'The type belongs to another path, which the detail names.' },
  {
    code: 'schema-invalid',
    status: 422,
    words: 'The body is not of its shape. errors has a JSON pointer for each problem.',
    members: { errors: [{ pointer: '/data/images/0/url', detail: 'is needed' }] },
  },
  {
    code: 'season-unparsed',
    status: 422,
    words: 'No year and season can be read. Send the texts as the page has them, or year and term.',
    ofMessagesOnly: true,
    members: { errors: [{ pointer: '/data/season', detail: 'names no year and season' }] },
  },
  {
    code: 'brand-unknown',
    status: 422,
    words:
      'No brand goes by this. near has names that may be meant; it is counted, so that an editor sees what is missing.',
    ofMessagesOnly: true,
    members: { near: ['Maison Éclair'] },
  },
  {
    code: 'brand-mismatch',
    status: 422,
    words: 'Hashid, id and name mean different brands. Send those that belong together, or one.',
    ofMessagesOnly: true,
  },
  {
    code: 'brand-ambiguous',
    status: 422,
    words: 'The name is that of several brands. Send the hashid or the id of one.',
    ofMessagesOnly: true,
    members: {
      brands: [
        { id: '7', name: 'Maison Éclair' },
        { id: '70', name: 'Éclair' },
      ],
    },
  },
  {
    code: 'brand-not-allowed',
    status: 422,
    words: 'A street-style gallery has no brand. Leave it out.',
    ofMessagesOnly: true,
    members: { errors: [{ pointer: '/data/brand', detail: 'is not allowed here' }] },
  },
  {
    code: 'message-id-reused',
    status: 422,
    words: 'Another body came with this webhook-id before. Give each message an id of its own.',
    ofMessagesOnly: true,
    members: { job_id: '90210' },
  },
  {
    code: 'rate-limited',
    status: 429,
    words: 'Too many messages of this crawler, or too many wrong signatures from this address. Wait for Retry-After.',
  },
  { code: 'headers-too-large', status: 431, words: 'The request’s headers are too long.' },
  { code: 'internal', status: 500, words: 'A fault of the server, which is in its log under the id in instance.' },
  {
    code: 'intake-saturated',
    status: 503,
    words: 'Too much is under way, or the workers are behind. Wait for Retry-After.',
  },
  {
    code: 'intake-unavailable',
    status: 503,
    words: 'The database does not answer, or the process is stopping. Wait for Retry-After.',
  },
];

/** Whether the same message may be sent again as it is (with a new timestamp), or has to be mended first. */
export function remedyOf(status: number): 'retry' | 'fix' {
  return status >= 500 || [408, 425, 429].includes(status) ? 'retry' : 'fix';
}
