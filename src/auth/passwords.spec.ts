import { describe, expect, it } from '@jest/globals';
import type { AppError } from '../lib/app-error.js';
import { assertPassword, hashPassword, isPassword, makePassword } from './passwords.js';

function refusal(password: string, name = 'anna'): string | undefined {
  try {
    assertPassword(password, name);
    return undefined;
  } catch (error) {
    return (error as AppError).code;
  }
}

describe('a password', () => {
  it('has ten to two hundred characters and is not the name', () => {
    expect(refusal('123456789')).toBe('password-too-short');
    expect(refusal('1234567890')).toBeUndefined();
    expect(refusal('x'.repeat(200))).toBeUndefined();
    expect(refusal('x'.repeat(201))).toBe('password-too-long');
    expect(refusal('ANNA MÜLLER', 'Anna Müller')).toBe('password-is-name');
  });

  it('is good when it is made', () => {
    const made = makePassword();
    expect(made).toMatch(/^[\w-]{20}$/);
    expect(refusal(made)).toBeUndefined();
    expect(makePassword()).not.toBe(made);
  });

  it('is kept as an argon2id hash with a salt of its own, and known again', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
    expect(await isPassword('correct horse', one)).toBe(true);
    expect(await isPassword('correct horsf', one)).toBe(false);
    expect(await isPassword('', one)).toBe(false);
  });

  it('may be typed with either form of an accent', async () => {
    expect(await isPassword('caffe\u0300 latte', await hashPassword('caff\u00E8 latte'))).toBe(true);
  });

  it('is nobody’s where nobody has one', async () => {
    expect(await isPassword('correct horse', null)).toBe(false);
    expect(await isPassword('correct horse', undefined)).toBe(false);
  });
});
