import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pictureIdentity } from './picture-identity.js';

const VOGUE = 'https://assets.vogue.com/photos/68244af7d33e04ddaf3d792c';
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('pictureIdentity', () => {
  it('is the photo’s id on assets.vogue.com, whatever crop, width and name it is asked for with', () => {
    const identity = 'assets.vogue.com/photos/68244af7d33e04ddaf3d792c';
    expect(pictureIdentity(`${VOGUE}/master/w_2560%2Cc_limit/00001-a-show.jpg`)).toBe(identity);
    expect(pictureIdentity(`${VOGUE}/1:1/w_120,h_120,c_limit/other.webp?x=1`)).toBe(identity);
    expect(pictureIdentity(VOGUE)).toBe(identity);
    expect(pictureIdentity('http://ASSETS.vogue.com./photos//short-id/master/pass/a.jpg')).toBe(
      'assets.vogue.com/photos/short-id',
    );
  });

  it('knows the same server’s ids behind another host, and no other folder called photos', () => {
    expect(pictureIdentity('http://127.0.0.1:8093/photos/68244af7d33e04ddaf3d792c/master/w_1280/a.jpg')).toBe(
      '127.0.0.1:8093/photos/68244af7d33e04ddaf3d792c',
    );
    expect(pictureIdentity('https://a.example/photos/2026/look-1.jpg')).toBe('a.example/photos/2026/look-1.jpg');
  });

  it('drops the size that WordPress puts before the extension, and no other number', () => {
    expect(pictureIdentity('https://a.example/wp-content/uploads/look-7-1024x683.jpg')).toBe(
      'a.example/wp-content/uploads/look-7.jpg',
    );
    expect(pictureIdentity('https://a.example/1024x683/look-7.jpg')).toBe('a.example/1024x683/look-7.jpg');
    expect(pictureIdentity('https://a.example/look-7.jpg')).toBe('a.example/look-7.jpg');
  });

  it('drops the size at the end of a name on vogue.com.cn only', () => {
    const original = 'shows.vogue.com.cn/2026/look7.jpg';
    expect(pictureIdentity('https://shows.vogue.com.cn/2026/look7.jpg.600X900.jpg')).toBe(original);
    expect(pictureIdentity('https://shows.vogue.com.cn/2026/look7.600X900.jpg')).toBe(original);
    expect(pictureIdentity('https://shows.vogue.com.cn/2026/look7.jpg')).toBe(original);
    expect(pictureIdentity('https://notvogue.com.cn/look7.600X900.jpg')).toBe('notvogue.com.cn/look7.600X900.jpg');
  });

  it('decodes a path that was encoded twice, and no further', () => {
    expect(pictureIdentity('https://a.example/%E9%80%A0%E5%9E%8B.jpg')).toBe('a.example/造型.jpg');
    expect(pictureIdentity('https://a.example/%25E9%2580%25A0.jpg')).toBe('a.example/造.jpg');
    expect(pictureIdentity('https://a.example/a%252520b.jpg')).toBe('a.example/a%20b.jpg');
  });

  it('keeps what can not be decoded, and what no column could store', () => {
    expect(pictureIdentity('https://a.example/50%-%E9%80.jpg')).toBe('a.example/50%-%E9%80.jpg');
    expect(pictureIdentity('https://a.example/a%2500b%0Ac.jpg')).toBe('a.example/a%00b%0Ac.jpg');
    expect(pictureIdentity(' no url ')).toBe('no url');
  });

  it('is the same for every scheme, query, fragment, host spelling and doubled slash', () => {
    fc.assert(
      fc.property(
        path,
        fc.constantFrom('http', 'https'),
        name,
        name,
        fc.boolean(),
        (p, scheme, query, fragment, twice) => {
          const spelled = `${scheme}://user:word@Img.EXAMPLE/${twice ? p.replaceAll('/', '//') : p}.jpg?v=${query}#${fragment}`;
          expect(pictureIdentity(spelled)).toBe(`img.example/${p}.jpg`);
        },
      ),
    );
  });

  it('is the same for an encoded and a twice encoded spelling, and its own identity', () => {
    const folder = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => !/[%./\\]|\p{C}/u.test(text));
    fc.assert(
      fc.property(folder, (text) => {
        const once = encodeURIComponent(text);
        const identity = pictureIdentity(`https://a.example/x/${once}/look.jpg`);
        expect(identity).toBe(`a.example/x/${text}/look.jpg`);
        expect(pictureIdentity(`https://a.example/x/${encodeURIComponent(once)}/look.jpg`)).toBe(identity);
      }),
    );
  });

  it('tells different photos apart', () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        fc.pre(one !== other);
        expect(pictureIdentity(`https://a.example/${one}.jpg`)).not.toBe(
          pictureIdentity(`https://a.example/${other}.jpg`),
        );
      }),
    );
  });

  it('never throws and never holds NUL', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })),
        (url) => !pictureIdentity(url.replaceAll('\0', '')).includes('\0'),
      ),
    );
  });
});
