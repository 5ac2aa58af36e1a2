import ipaddr from 'ipaddr.js';

/** Names that the HTTP server knows for networks. */
const PROXY_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Environment variables, as the process got them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The start is refused: every bad setting in one message, so that nobody mends them one start at a time. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads settings one by one and remembers what is wrong with each. A bad one yields its default until `finish`. */
export class SettingsReader {
  private readonly problems: string[] = [];

  constructor(private readonly env: Environment) {}

  text(name: string, fallback: string): string {
    return this.raw(name) ?? fallback;
  }

  required(name: string, provided: string | undefined, minLength = 1): string {
    const value = this.raw(name) ?? provided;
    if (value === undefined) this.complain(name, 'is needed when DATABASE_URL is set');
    else if (value.length < minLength) this.complain(name, `must have at least ${minLength} characters`);
    return value ?? '';
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.number(name, fallback, min, max);
    if (Number.isInteger(value)) return value;
    this.complain(name, `must be a whole number from ${min} to ${max}`);
    return fallback;
  }

  number(name: string, fallback: number, min: number, max: number): number {
    const raw = this.raw(name);
    if (raw === undefined) return fallback;
    const value = Number(raw);
    if (/^[0-9.eE+-]+$/.test(raw) && value >= min && value <= max) return value;
    this.complain(name, `must be a number from ${min} to ${max}, and is "${raw}"`);
    return fallback;
  }

  integers(name: string, fallback: number[], min: number, max: number): number[] {
    const raw = this.raw(name);
    if (raw === undefined) return fallback;
    const values = raw.split(',').map((part) => Number(part.trim()));
    if (values.every((value) => Number.isInteger(value) && value >= min && value <= max)) return values;
    this.complain(name, `must be whole numbers from ${min} to ${max}, separated by commas, and is "${raw}"`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.choice(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const raw = this.raw(name);
    if (raw === undefined) return fallback;
    const found = choices.find((choice) => choice === raw);
    if (found === undefined) this.complain(name, `must be one of ${choices.join(', ')}, and is "${raw}"`);
    return found ?? fallback;
  }

  list<T extends string>(name: string, choices: readonly T[], fallback: readonly T[]): readonly T[] {
    const raw = this.raw(name);
    if (raw === undefined) return fallback;
    const parts = raw.split(',').map((part) => part.trim());
    const unknown = parts.filter((part) => !choices.some((choice) => choice === part));
    if (unknown.length > 0) {
      this.complain(name, `knows ${choices.join(', ')} and not ${unknown.map((part) => `"${part}"`).join(', ')}`);
    }
    return choices.filter((choice) => parts.includes(choice));
  }

  url(name: string, fallback: string | undefined, protocols: readonly string[]): string {
    const raw = this.raw(name) ?? fallback;
    if (raw === undefined) this.complain(name, 'is needed');
    else if (!URL.canParse(raw) || !protocols.includes(new URL(raw).protocol)) {
      // The value may hold a password, so it is not repeated.
      this.complain(
        name,
        `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    }
    return raw ?? '';
  }

  /** Whether it is set, well or not. */
  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** A text of a form; empty when not set. The value is not repeated in a complaint, since it may be a secret. */
  matching(name: string, form: RegExp, problem: string): string {
    const raw = this.raw(name);
    if (raw !== undefined && !form.test(raw)) this.complain(name, problem);
    return raw ?? '';
  }

  /** An http(s) address to put names behind, without the slash at its end; undefined when not set. */
  baseUrl(name: string): string | undefined {
    const raw = this.raw(name);
    if (raw === undefined) return undefined;
    const url = URL.canParse(raw) ? new URL(raw) : undefined;
    if (
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.username + url.password + url.search + url.hash === ''
    ) {
      return raw.replace(/\/+$/, '');
    }
    this.complain(name, 'must be an address that begins with http:// or https://, without user, query or fragment');
    return undefined;
  }

  base64(name: string, bytes: number, provided: string | undefined): Buffer {
    const value = Buffer.from(this.required(name, provided), 'base64');
    if ((this.raw(name) ?? provided) !== undefined && value.length !== bytes) {
      this.complain(name, `must be ${bytes} bytes in base64 (make one with: openssl rand -base64 ${bytes})`);
    }
    return value;
  }

  /** `whsec_` and at least 24 bytes in base64. */
  webhookSecret(name: string, provided: string | undefined): string | undefined {
    const value = this.raw(name) ?? provided;
    if (value !== undefined && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(value)) {
      this.complain(
        name,
        'must be whsec_ and at least 24 bytes in base64 (make one with: echo whsec_$(openssl rand -base64 32))',
      );
    }
    return value;
  }

  /** `host:port` entries, separated by commas; an IPv6 host stands in brackets. */
  hostPorts(name: string): string[] {
    const parts = (this.raw(name) ?? '').split(',').map((part) => part.trim().toLowerCase());
    const given = parts.filter((part) => part !== '');
    for (const part of given) {
      if (!/^(\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/.test(part)) {
        this.complain(name, `needs entries of the form host:port, and "${part}" is none`);
      }
    }
    return given;
  }

  /**
   * The proxies in front, by address and network. Not "all", nor their number: whoever reaches the port past the proxy
   * would choose an address.
   */
  proxies(name: string): string[] {
    const parts = (this.raw(name) ?? '').split(',').map((part) => part.trim());
    const given = parts.filter((part) => part !== '');
    const unknown = given.filter((part) => !PROXY_NETWORKS.has(part) && !isAddress(part) && !ipaddr.isValidCIDR(part));
    if (unknown.length === 0) return given;
    this.complain(
      name,
      `takes addresses and networks, separated by commas (10.0.0.0/8,127.0.0.1), or ${[...PROXY_NETWORKS].join(', ')}, ` +
        `and not ${unknown.map((part) => `"${part}"`).join(', ')}`,
    );
    return [];
  }

  complain(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  /** @throws ConfigError when any setting was bad */
  finish(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }

  private raw(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }
}

/** Not what else the C library takes for an IPv4 address: `10` would be 0.0.0.10. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}
