import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { PictureError } from './picture-error.js';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** One request of a fetch: the picture's URL, or what it redirects to. */
export interface Hop {
  url: URL;
  /** `host:port`, the port always given: what an allow-list entry, a queue and a cool-down are about. */
  host: string;
  /** Whether the configuration opens this host and port although it is private. */
  allowedPrivate: boolean;
}

/** Which addresses a crawler's payload may make us connect to. Names are judged twice: here, and by what they resolve to. */
export class AddressRules {
  private readonly ports: ReadonlySet<number>;
  private readonly allowed: ReadonlySet<string>;

  /** @param allowedPrivateHosts `host:port` entries; each opens that port of that host and nothing else */
  constructor(ports: readonly number[], allowedPrivateHosts: readonly string[]) {
    this.ports = new Set(ports);
    this.allowed = new Set(allowedPrivateHosts.map((entry) => hostAndPort(new URL(`http://${entry}`))));
  }

  /**
   * @param base where a relative redirect was read
   * @throws PictureError `bad_url` or `forbidden_address`
   */
  check(address: string, base?: URL): Hop {
    if (!URL.canParse(address, base?.href)) throw unreadable(address);
    const url = new URL(address, base);
    const port = portOf(url);
    if (port === undefined)
      throw badUrl(`A picture's address begins with http:// or https://, not with ${url.protocol}`);
    if (url.username !== '' || url.password !== '') {
      throw badUrl('A picture’s address must not carry a user name or password.');
    }
    const host = hostAndPort(url);
    if (this.allowed.has(host)) return { url, host, allowedPrivate: true };
    if (!this.ports.has(port)) {
      throw forbidden(`Port ${port} of ${url.hostname} may not be fetched from (see MEDIA_PORTS).`, host);
    }
    // The URL parser has already turned 2130706433, 0x7f.1 and 0177.0.0.1 into 127.0.0.1.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(literal) && !isPublicAddress(literal)) {
      throw forbidden(`${host} is no public address (see MEDIA_ALLOWED_PRIVATE_HOSTS).`, host);
    }
    return { url, host, allowedPrivate: false };
  }
}

/**
 * Whether an IP address is one of the open internet. Of IPv6 only 2000::/3 is: outside of it are, among others, the
 * IPv4-compatible spellings (::7f00:1), which the parser's own ranges call ordinary.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST_V6);
}

/** Carried by a look-up's failure, so that it is told from a name that does not exist. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** A name that answers one private address beside ten public ones is refused: which one is dialled is not ours to say. */
export function publicOnly(lookup: LookupFunction = dns.lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const secret = addresses.find((address) => !isPublicAddress(address));
      if (secret === undefined) return callback(null, found, family);
      callback(new ForbiddenAddress(`${hostname} leads to ${secret}, which is no public address.`), found, family);
    });
  };
}

function portOf(url: URL): number | undefined {
  return url.port === '' ? DEFAULT_PORTS[url.protocol] : url.protocol in DEFAULT_PORTS ? Number(url.port) : undefined;
}

function hostAndPort(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url) ?? ''}`;
}

/** A zone id ([fe80::1%25eth0]) is no URL to the parser, but an address all the same: a person reads the better reason. */
function unreadable(address: string): PictureError {
  return /^\s*https?:[/\\]*[^/\\]*\[[^\]]*%/i.test(address)
    ? forbidden('An address with a zone id belongs to one machine’s own network.', undefined)
    : badUrl('The picture’s address is not a URL.');
}

function badUrl(message: string): PictureError {
  return new PictureError('bad_url', message, { nature: 'permanent' });
}

function forbidden(message: string, host: string | undefined): PictureError {
  return new PictureError('forbidden_address', message, { nature: 'permanent', ...(host !== undefined && { host }) });
}
