import { describe, expect, it } from '@jest/globals';
import { userNameKey, userNameOf } from './user-name.js';

describe('a user’s name', () => {
  it.each(['anna', 'Anna Müller', '王小明', 'a.b-c_d@example.org', 'x', 'х'.repeat(64)])('may be %j', (name) => {
    expect(userNameOf(name)).toBe(name);
  });

  it('is kept without the spaces around it, and in one form of its accents', () => {
    expect(userNameOf('  Zoë ')).toBe('Zoë'.normalize('NFC'));
  });

  it.each(['', ' ', '-', 'a\nb', 'a\0b', '<b>', 'a.', 'x'.repeat(65), 'a\u202Eb'])('is not %j', (name) => {
    expect(() => userNameOf(name)).toThrow(expect.objectContaining({ code: 'user-name-invalid', status: 422 }));
  });

  it('is the same in any case, width and form', () => {
    expect(new Set(['ANNA', 'anna', ' Ａｎｎａ '].map(userNameKey)).size).toBe(1);
    expect(userNameKey('Zoe\u0308')).toBe(userNameKey('ZOË'));
    expect(userNameKey('anna')).not.toBe(userNameKey('ana'));
  });
});
