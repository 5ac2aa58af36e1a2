import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { hasUnstorable } from '../lib/text.js';
import { keyOfSecret, macOf, parseSignatures, verifySignature } from './signature.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const VECTOR = {
  id: 'msg_01JTESTVECTOR000000000001',
  timestamp: '1767323045',
  body: Buffer.from(
    '{"type":"show.crawled","timestamp":"2026-01-02T03:04:05Z","data":{"brand":"Maison \u00c9clair","pictures":[]}}',
  ),
  header: 'v1,3n0CNfQiZuYgT2aDwTDEStR/bhfXYPJx+4adZOLePpk=',
};

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const messages = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_-]{8,128}$/),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }),
  body: fc.string({ unit: 'binary', maxLength: 300 }).filter((text) => !hasUnstorable(text)),
});

describe('the signature', () => {
  it('verifies the contract’s test vector', () => {
    expect(VECTOR.body).toHaveLength(106);
    expect(verifySignature({ ...VECTOR, candidates: [{ key: keyOfSecret(SECRET) }] })).toBeDefined();
  });

  it('verifies what the standardwebhooks library signs, whatever the text', () => {
    fc.assert(
      fc.property(secrets, messages, (secret, { id, timestamp, body }) => {
        const header = new Webhook(secret).sign(id, new Date(timestamp * 1000), body);
        const candidates = [{ key: keyOfSecret(secret) }];
        const message = { id, timestamp: String(timestamp), body: Buffer.from(body), header };
        expect(verifySignature({ ...message, candidates })).toBe(candidates[0]);
      }),
    );
  });

  it('does not verify when one bit of the body, the id, the time or the key is another', () => {
    fc.assert(
      fc.property(secrets, messages, fc.nat(), fc.nat({ max: 7 }), (secret, { id, timestamp, body }, place, bit) => {
        const key = keyOfSecret(secret);
        const message = { id, timestamp: String(timestamp), body: Buffer.from(`x${body}`) };
        const header = `v1,${macOf(key, message).toString('base64')}`;
        const flipped = (bytes: Buffer): Buffer => {
          const copy = Buffer.from(bytes);
          copy[place % copy.length]! ^= 1 << bit;
          return copy;
        };
        const candidates = [{ key }];
        expect(verifySignature({ ...message, header, candidates })).toBeDefined();
        expect(verifySignature({ ...message, header, body: flipped(message.body), candidates })).toBeUndefined();
        expect(verifySignature({ ...message, header, id: `${id}x`, candidates })).toBeUndefined();
        expect(verifySignature({ ...message, header, timestamp: String(timestamp + 1), candidates })).toBeUndefined();
        expect(verifySignature({ ...message, header, candidates: [{ key: flipped(key) }] })).toBeUndefined();
      }),
    );
  });

  it('finds the one candidate of many that signed, wherever it and its entry stand', () => {
    const others = Array.from({ length: 5 }, (_, n) => ({ name: `other ${n}`, key: Buffer.alloc(32, n + 1) }));
    const ours = { name: 'ours', key: keyOfSecret(SECRET) };
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const header of [`${wrong} ${VECTOR.header}`, `${VECTOR.header} ${wrong}`, `v1a,AAAA ${VECTOR.header}`]) {
      expect(verifySignature({ ...VECTOR, header, candidates: [...others, ours] })?.name).toBe('ours');
      expect(verifySignature({ ...VECTOR, header, candidates: [ours, ...others] })?.name).toBe('ours');
      expect(verifySignature({ ...VECTOR, header, candidates: others })).toBeUndefined();
    }
  });
});

describe('parseSignatures', () => {
  const entry = VECTOR.header;

  it('takes one to five entries and passes unknown versions over', () => {
    expect(parseSignatures(entry)).toHaveLength(1);
    expect(parseSignatures(Array(5).fill(entry).join(' '))).toHaveLength(5);
    expect(parseSignatures(`v2,abc v1a,def= ${entry}`)).toHaveLength(1);
  });

  it.each([
    ['nothing', ''],
    ['six entries', Array(6).fill(entry).join(' ')],
    ['two spaces', `${entry}  ${entry}`],
    ['a comma between entries', `${entry},${entry}`],
    ['no version', entry.slice(3)],
    ['only versions that are not known', 'v2,AAAA'],
    ['43 characters', `v1,${'A'.repeat(43)}`],
    ['44 characters without padding', `v1,${'A'.repeat(44)}`],
    ['45 characters', `v1,${'A'.repeat(44)}=`],
    ['a letter outside ASCII', `v1,é${'A'.repeat(42)}=`],
    ['the URL alphabet', `v1,${'-'.repeat(43)}=`],
    ['a second spelling of the same bytes', `v1,${'A'.repeat(42)}B=`],
    ['a line break', `${entry}\n`],
  ])('refuses %s', (_, header) => {
    expect(parseSignatures(header)).toBeUndefined();
  });

  it('never throws, and gives MACs of 32 bytes only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        for (const mac of parseSignatures(header) ?? []) expect(mac).toHaveLength(32);
      }),
    );
  });
});

describe('keyOfSecret', () => {
  it.each(['', 'whsec_', SECRET.slice(6), 'whsec_AAECAwQFBgc=', `whsec_${'!'.repeat(44)}`, `${SECRET}=`])(
    'refuses %j and does not repeat it',
    (secret) => {
      expect(() => keyOfSecret(secret)).toThrow(/at least 24 bytes/);
      expect(() => keyOfSecret(secret)).not.toThrow(secret.length > 10 ? secret : 'nothing at all');
    },
  );
});
