import sjson from 'secure-json-parse';
import { AppError } from '../lib/app-error.js';
import { scanBody } from './body-scan.js';

const BOM = '\uFEFF';

/**
 * The text of a signed body: UTF-8 and nothing else, without the byte-order mark that some writers put in front.
 * @throws AppError `body-not-utf8`
 */
export function decodeBody(bytes: Buffer): string {
  try {
    // ignoreBOM keeps the mark in the text; without it the decoder would swallow one unseen, and we a second one.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? text.slice(1) : text;
  } catch (cause) {
    throw new AppError('body-not-utf8', 'The body is not UTF-8. Encode it so, and sign the bytes that you send.', {
      status: 422,
      cause,
    });
  }
}

/**
 * Parses what {@link decodeBody} gave. Keys that reach for an object's prototype are refused, since whoever copies the
 * object later would be the one who is hit.
 * @throws AppError `body-too-complex`, `body-forbidden-key`, `schema-invalid`, `body-not-json`
 */
export function parseBody(text: string): unknown {
  scanBody(text);
  const value = parseJson(text);
  try {
    if (typeof value === 'object' && value !== null)
      sjson.scan(value, { protoAction: 'error', constructorAction: 'error' });
    return value;
  } catch (cause) {
    throw new AppError(
      'body-forbidden-key',
      'The body has a key "__proto__" or "constructor" → "prototype". Leave it out.',
      {
        status: 422,
        cause,
      },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new AppError('body-not-json', 'The body is not JSON. Send one object {"type", "timestamp", "data"}.', {
      status: 422,
      cause,
    });
  }
}
