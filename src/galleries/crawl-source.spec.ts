import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalPage, sourcesOf } from './crawl-source.js';

describe('a page’s canonical address', () => {
  it.each([
    'https://www.runway.example/shows/fall-2026/',
    'http://runway.example/shows/fall-2026',
    'https://RUNWAY.example/shows/fall-2026#look-3',
    'https://runway.example:443/shows/fall-2026?utm_source=feed&utm_campaign=x&fbclid=1&gclid=2&spm=3',
  ])('is the same for %s', (url) => {
    expect(canonicalPage(url)).toBe('runway.example/shows/fall-2026');
  });

  it('keeps the parameters that name a page, in one order', () => {
    expect(canonicalPage('https://r.example/show?season=fall&brand=7')).toBe('r.example/show?brand=7&season=fall');
    expect(canonicalPage('https://r.example/show?brand=7&season=fall')).toBe('r.example/show?brand=7&season=fall');
    expect(canonicalPage('https://r.example/show?id=1')).not.toBe(canonicalPage('https://r.example/show?id=2'));
  });

  it('keeps the values of a repeated parameter in their order', () => {
    expect(canonicalPage('https://r.example/?b=2&a=1&b=1')).toBe('r.example?a=1&b=2&b=1');
  });

  it('tells paths, ports and cases of paths apart', () => {
    const pages = ['https://r.example/a', 'https://r.example/A', 'https://r.example/a/b', 'https://r.example:8443/a'];
    expect(new Set(pages.map(canonicalPage)).size).toBe(4);
  });

  it('is its own canonical address', () => {
    const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });
    fc.assert(
      fc.property(urls, (url) => {
        const page = canonicalPage(url);
        expect(canonicalPage(`https://${page}`)).toBe(page);
      }),
    );
  });
});

describe('the names of a source', () => {
  it('are the site’s own id first, then the page', () => {
    const url = 'https://www.runway.example/fall-2026';
    expect(sourcesOf({ site: 'Runway.Example', url, externalId: 'X-1' })).toEqual([
      'runway.example#X-1',
      'runway.example/fall-2026',
    ]);
  });

  it('take the page’s host for the site when no site is named', () => {
    const url = 'https://www.runway.example/fall-2026';
    expect(sourcesOf({ url, externalId: '1' })[0]).toBe('runway.example#1');
    expect(sourcesOf({ externalId: '1' })).toEqual(['#1']);
  });

  it('are none when there is neither id nor page', () => {
    expect(sourcesOf({})).toEqual([]);
    expect(sourcesOf({ site: 'runway.example' })).toEqual([]);
  });
});
