import type { CrawlSource } from './crawl-payload.js';

/** Added by whoever shares a link; never part of which page it is. */
const TRACKING = /^(utm_\w+|fbclid|gclid|mc_[ce]id|spm|_ga)$/i;

/**
 * The names under which a crawl's source is remembered, the surest first: the site's own id for the show, then the
 * page's canonical address.
 */
export function sourcesOf({ site, url, externalId }: CrawlSource): string[] {
  const host = url === undefined ? undefined : new URL(url).hostname.toLowerCase().replace(/^www\./, '');
  const names: string[] = [];
  if (externalId !== undefined) names.push(`${(site ?? host ?? '').toLowerCase()}#${externalId}`);
  if (url !== undefined) names.push(canonicalPage(url));
  return names;
}

/** One spelling for a page: no scheme, `www.`, fragment, tracking or final slash; the rest of the query in order. */
export function canonicalPage(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  const query = new URLSearchParams([...searchParams].filter(([name]) => !TRACKING.test(name)));
  // By name alone and stable: a parameter that comes twice means its values in their order.
  query.sort();
  const search = query.toString();
  return `${host.toLowerCase().replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${search === '' ? '' : `?${search}`}`;
}
