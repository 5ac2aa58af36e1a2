import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../lib/app-error.js';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts a key for the database: version byte, nonce, tag, AES-256-GCM.
 * @param owner bound to the ciphertext, so that a row copied to another crawler does not open
 */
export function seal(key: Buffer, secret: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
}

/** @throws AppError `secret-unreadable` for what was not sealed with this key and for this owner */
export function open(key: Buffer, box: Buffer, owner: string): Buffer {
  try {
    if (box[0] !== VERSION || box.length < HEADER_BYTES) throw new Error('The box is of another version');
    const nonce = box.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(box.subarray(1 + NONCE_BYTES, HEADER_BYTES));
    return Buffer.concat([decipher.update(box.subarray(HEADER_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new AppError(
      'secret-unreadable',
      `The secret of ${owner} cannot be decrypted: it was written with another SECRETS_KEY, or changed since.`,
      { status: 500, cause },
    );
  }
}

/** Tells equal secrets without telling anything else of them. */
export function fingerprintOf(key: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', key).update('crawler-secret\n').update(secret).digest();
}

/** What a crawler's sealed secrets are bound to. */
export function ownerOf(crawlerId: string): string {
  return `crawler ${crawlerId}`;
}
