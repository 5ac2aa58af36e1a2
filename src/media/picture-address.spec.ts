import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { AddressRules, isPublicAddress, publicOnly } from './picture-address.js';
import { PictureError } from './picture-error.js';

const rules = new AddressRules([80, 443], ['127.0.0.1:9000', 'Store.internal:80', '[0:0::1]:9000']);

function codeOf(address: string, base?: URL): string {
  try {
    rules.check(address, base);
    return 'allowed';
  } catch (error) {
    if (error instanceof PictureError && error.nature === 'permanent') return error.code;
    throw error;
  }
}

/** Every way that CASES and the filters' own issue trackers know to say a private address. */
export const PRIVATE_SPELLINGS = [
  '127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '１２７.0.0.1', '127.0.0.1.', '[::1]',
  '[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[::ffff:0:7f00:1]', '0.0.0.0', '[::]', '10.0.0.1',
  '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]', '[2001::1]', '[fe80::1]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[fc00::1]', '[fec0::1]',
  '192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '[ff02::1]', '[2001:db8::1]',
]; // prettier-ignore

describe('the address rules', () => {
  it.each(PRIVATE_SPELLINGS)('refuse %s', (host) => {
    expect(codeOf(`http://${host}/look.jpg`)).toBe('forbidden_address');
  });

  it('let public hosts be fetched on the configured ports only', () => {
    expect(codeOf('https://assets.vogue.com/a.jpg')).toBe('allowed');
    expect(codeOf('http://8.8.8.8:80/a.jpg')).toBe('allowed');
    expect(codeOf('http://[2606:4700::1111]/a.jpg')).toBe('allowed');
    expect(codeOf('https://assets.vogue.com:8443/a.jpg')).toBe('forbidden_address');
    expect(codeOf('http://assets.vogue.com:22/a.jpg')).toBe('forbidden_address');
  });

  it('open a private host on the port that its entry names and on no other', () => {
    expect(rules.check('http://127.0.0.1:9000/a.jpg')).toMatchObject({ host: '127.0.0.1:9000', allowedPrivate: true });
    expect(rules.check('http://store.internal/a.jpg').allowedPrivate).toBe(true);
    expect(rules.check('http://[::1]:9000/a.jpg').allowedPrivate).toBe(true);
    expect(codeOf('http://127.0.0.1:9001/a.jpg')).toBe('forbidden_address');
    expect(codeOf('http://127.0.0.1/a.jpg')).toBe('forbidden_address');
    expect(rules.check('https://store.internal/a.jpg').allowedPrivate).toBe(false);
  });

  it('take http and https without a user, and nothing else', () => {
    for (const address of [
      'ftp://a.example/a.jpg',
      'file:///etc/passwd',
      'data:image/gif;base64,R0lG',
      'look.jpg',
      '',
    ]) {
      expect(codeOf(address)).toBe('bad_url');
    }
    expect(codeOf('http://user:word@a.example/a.jpg')).toBe('bad_url');
    expect(codeOf('http://127.0.0.1:9000@10.0.0.1/a.jpg')).toBe('bad_url');
  });

  it('judge a redirect like an address of its own', () => {
    const base = new URL('https://a.example/x/1.jpg');
    expect(rules.check('../y/2.jpg', base).url.href).toBe('https://a.example/y/2.jpg');
    expect(codeOf('//10.0.0.1/2.jpg', base)).toBe('forbidden_address');
    expect(codeOf('file:///etc/passwd', base)).toBe('bad_url');
  });
});

describe('a name’s look-up', () => {
  const answering = (addresses: LookupAddress[]): LookupFunction =>
    publicOnly((_name, options, callback) => {
      if (options.all) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
  const ask = (lookup: LookupFunction, all: boolean): Promise<unknown> =>
    new Promise((resolve) => lookup('a.example', { all }, (error, found) => resolve(error ?? found)));

  it('passes public answers on', async () => {
    const found = [{ address: '8.8.8.8', family: 4 }];
    expect(await ask(answering(found), true)).toEqual(found);
    expect(await ask(answering(found), false)).toBe('8.8.8.8');
  });

  it.each(['10.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1%eth0'])(
    'is refused when it leads to %s, alone or beside a public address',
    async (address) => {
      const found = [{ address, family: address.includes(':') ? 6 : 4 }];
      const refusal = { code: 'FORBIDDEN_ADDRESS' };
      expect(await ask(answering([{ address: '8.8.8.8', family: 4 }, ...found]), true)).toMatchObject(refusal);
      expect(await ask(answering(found), false)).toMatchObject(refusal);
    },
  );
});

describe('isPublicAddress', () => {
  it('takes no text that is not an address', () => {
    expect(isPublicAddress('a.example')).toBe(false);
    expect(isPublicAddress('')).toBe(false);
  });
});
