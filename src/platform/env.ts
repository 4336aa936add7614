import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { passwordProblem } from './crypto/passwords.js';
import { parseDatabaseUrl } from './database/address.js';
import { StartError } from './start-error.js';

/** Injection token of the process's {@link Env}. */
export const ENV = Symbol('ENV');

const ROLES = ['all', 'web', 'worker'] as const;
const RATE_LIMITS = ['on', 'auth-only', 'off'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What the operator fixes for the life of a process: addresses, secrets, the role. All else is a live setting. */
export interface Env {
  /** 0 lets the system choose; `baseUrl` should then be given. */
  port: number;
  host: string;
  /** The server's public address, scheme and host only, without a slash at its end. */
  baseUrl: string;
  /** The domain in `@name@domain`; carries the port when `baseUrl` does. */
  handleDomain: string;
  /** Absolute. */
  dataDir: string;
  /** Undefined: the bundled PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  role: (typeof ROLES)[number];
  adminPassword: string | undefined;
  /** At least 32 bytes; see `loadSecretKey` for when it is not set. */
  secretKey: Buffer | undefined;
  configFromDatabase: boolean;
  adminToken: string | undefined;
  mediaUrl: string | undefined;
  smtpUrl: string | undefined;
  /** Loopback hosts that outbound requests may reach, over plain http too: for tests and local federation. */
  allowedPrivateAddresses: string[];
  rateLimits: (typeof RATE_LIMITS)[number];
  logLevel: (typeof LOG_LEVELS)[number];
  /** Addresses and CIDR ranges whose `X-Forwarded-*` headers are believed. */
  trustedProxies: string[];
  /** The folders in which programs such as ffmpeg are looked for, as in `PATH`. */
  searchPath: string;
  /** The word that stands for `svc` in answers, for apps and dashboards that expect another one. */
  brand: string;
  /** Of this release, from package.json. */
  version: string;
}

/** Whether the process may be one of several on the same database; any other is alone, and owns its database. */
export function isOneOfSeveral({ redisUrl, databaseUrl }: Env): boolean {
  return redisUrl !== undefined && databaseUrl !== undefined;
}

/** The environment is not usable; the message lists every reason. */
export class EnvError extends StartError {
  override name = 'EnvError';

  constructor(readonly reasons: readonly string[]) {
    super(`The environment is not usable:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
  }
}

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment; empty variables count as not set.
 * @throws EnvError with all that is wrong at once
 */
export function readEnv(source: Source): Env {
  const read = new Reader(source);
  const port = read.port('PORT', 4000);
  const baseUrl = read.origin('BASE_URL', new URL(`http://localhost:${port}`).origin); // without the port of http
  const env: Env = {
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    baseUrl,
    handleDomain: read.domain('HANDLE_DOMAIN', new URL(baseUrl).host),
    dataDir: resolve(read.text('DATA_DIR') ?? 'data'),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    redisUrl: read.url('REDIS_URL', 'redis', 'rediss'),
    role: read.oneOf('ROLE', ROLES, 'all'),
    adminPassword: read.password('SVC_ADMIN_PASSWORD'),
    secretKey: read.secretKey('SECRET_KEY'),
    configFromDatabase: read.boolean('CONFIG_FROM_DATABASE', true),
    adminToken: read.text('ADMIN_TOKEN'),
    mediaUrl: read.url('MEDIA_URL', 'http', 'https'),
    smtpUrl: read.url('SMTP_URL', 'smtp', 'smtps'),
    allowedPrivateAddresses: read.list('ALLOWED_PRIVATE_ADDRESSES'),
    rateLimits: read.oneOf('RATE_LIMITS', RATE_LIMITS, 'on'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    trustedProxies: read.addresses('TRUSTED_PROXIES'),
    searchPath: read.text('PATH') ?? '',
    brand: read.brand('COMPAT_BRAND', 'svc'),
    version: packageVersion(),
  };
  read.unsupported('STORAGE_URL', 'files are stored in DATA_DIR, and nowhere else yet');
  const reasons = [...read.reasons, ...contradictions(env)];
  if (reasons.length > 0) throw new EnvError(reasons);
  return env;
}

/** A key of at least 32 bytes written as hex or base64, or undefined when `text` is none. */
export function decodeSecretKey(text: string): Buffer | undefined {
  const encoding = /^([0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
  if (encoding === 'base64' && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, encoding);
  return key.length >= 32 ? key : undefined;
}

function contradictions(env: Env): string[] {
  if (env.role === 'all') return [];
  const needs = `ROLE=${env.role} needs`;
  return [
    ...(env.redisUrl ? [] : [`${needs} REDIS_URL: without it one process of the role "all" does everything`]),
    ...(env.databaseUrl ? [] : [`${needs} DATABASE_URL: the bundled PostgreSQL is for one process`]),
  ];
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Reads single variables, and collects what is wrong with them instead of stopping at the first. */
class Reader {
  readonly reasons: string[] = [];

  constructor(private readonly source: Source) {}

  text(name: string): string | undefined {
    return this.source[name]?.trim() || undefined; // empty counts as not set
  }

  password(name: string): string | undefined {
    const text = this.text(name);
    const problem = text === undefined ? undefined : passwordProblem(text);
    if (problem !== undefined) this.reasons.push(`${name}: the password ${problem}`);
    return text;
  }

  port(name: string, fallback: number): number {
    return this.parsed(
      name,
      'a number from 0 to 65535',
      (text) => {
        const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
        return port <= 65_535 ? port : undefined;
      },
      fallback,
    );
  }

  origin(name: string, fallback: string): string {
    return this.parsed(
      name,
      'http(s)://host[:port] without a path',
      (text) => {
        const url = URL.parse(text);
        return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined;
      },
      fallback,
    );
  }

  domain(name: string, fallback: string): string {
    return this.parsed(
      name,
      'a host name',
      (text) => {
        const url = URL.parse(`https://${text}`);
        return url && url.href === `https://${url.host}/` ? url.host : undefined;
      },
      fallback,
    );
  }

  databaseUrl(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      parseDatabaseUrl(text);
    } catch (error) {
      this.reasons.push(`${name}: ${error instanceof Error ? error.message : 'unreadable'}`);
    }
    return text;
  }

  url(name: string, ...schemes: string[]): string | undefined {
    const expected = schemes.map((scheme) => `${scheme}://`).join(' or ');
    return this.parsed(
      name,
      `a URL with ${expected}`,
      (text) => {
        const scheme = URL.parse(text)?.protocol.slice(0, -1);
        return scheme !== undefined && schemes.includes(scheme) ? text.replace(/\/+$/, '') : undefined;
      },
      undefined,
    );
  }

  /** Refuses a variable that would be without effect. */
  unsupported(name: string, why: string): void {
    if (this.text(name) !== undefined) this.reasons.push(`${name}: ${why}`);
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    return this.parsed(name, `one of ${values.join(', ')}`, (text) => values.find((value) => value === text), fallback);
  }

  boolean(name: string, fallback: boolean): boolean {
    const words: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };
    return this.parsed(name, 'true or false', (text) => words[text.toLowerCase()], fallback);
  }

  secretKey(name: string): Buffer | undefined {
    return this.parsed(name, 'at least 32 bytes as hex or base64', decodeSecretKey, undefined);
  }

  brand(name: string, fallback: string): string {
    const pattern = /^[a-z][a-z0-9_]{1,30}$/;
    return this.parsed(name, 'a word of a-z, 0-9 and _', (text) => (pattern.test(text) ? text : undefined), fallback);
  }

  list(name: string): string[] {
    return (this.text(name) ?? '').split(/[\s,]+/).filter((item) => item !== '');
  }

  addresses(name: string): string[] {
    const items = this.list(name);
    const wrong = items.filter((item) => !ipaddr.isValid(item) && !ipaddr.isValidCIDR(item));
    if (wrong.length > 0) this.reasons.push(`${name}: expected addresses or CIDR ranges, got ${wrong.join(', ')}`);
    return items;
  }

  private parsed<T, F>(name: string, expected: string, parse: (text: string) => T | undefined, fallback: F): T | F {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    this.reasons.push(`${name}: expected ${expected}`); // the value may be a secret and is not repeated
    return fallback;
  }
}
