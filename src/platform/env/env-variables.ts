import ipaddr from 'ipaddr.js';
import { parseUrl } from '../urls/urls.js';
import { passwordProblem } from '../crypto/passwords.js';
import { isBucketUrl, parseBucketUrl } from './bucket-address.js';
import { type DatabaseAddress, parseDatabaseUrl } from './database-address.js';
import { readRedisUrl } from './redis-address.js';

/** Reads the text of a variable; throws an error whose message gives the reason, and never repeats a secret. */
type Parse<T> = (text: string) => T;

interface Variable<T> {
  readonly parse: Parse<T>;
  /** The default, as it would be written. */
  readonly default?: string;
  /** Whether blanks at its ends are part of it. */
  readonly isExact?: true;
  /** The effect of leaving it out, where there is no default: for the documentation. */
  readonly otherwise?: string;
  readonly meaning: string;
}

/** How many backups stay: the newest of each of the last days, weeks and months that have one. */
export interface Retention {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

/** The variable's value; undefined when it is not set and has no default. */
export type VariableValue<N extends VariableName> =
  | ReturnType<(typeof environmentVariables)[N]['parse']>
  | ((typeof environmentVariables)[N] extends { readonly default: string } ? never : undefined);

export type VariableName = keyof typeof environmentVariables;

const text: Parse<string> = (value) => value;

const port: Parse<number> = (value) => {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw expected('a number from 0 to 65535');
  return Number(value);
};

const connections: Parse<number> = (value) => {
  if (!/^[1-9]\d{1,5}$/.test(value)) throw expected('a number from 10 to 999999');
  return Number(value);
};

const GAP = /\.(?:\.|:|$)/; // other servers cannot find a host with an empty label
const origin: Parse<string> = (value) => {
  const url = parseUrl(value);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` && !GAP.test(url.host)) return url.origin;
  throw expected('http(s)://host[:port] without a path');
};

const domain: Parse<string> = (value) => {
  const url = parseUrl(`https://${value}`);
  if (url && url.href === `https://${url.host}/` && !GAP.test(url.host)) return url.host;
  throw expected('a host name');
};

const databaseUrl: Parse<string> = (value) => {
  parseDatabaseUrl(value);
  return value;
};

const replicas: Parse<DatabaseAddress[]> = (value) =>
  value
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')
    .map(parseDatabaseUrl);

/** A path of this machine, or the address of a folder in a bucket; what that leaves out is known only with STORAGE_URL. */
const folder: Parse<string> = (value) => {
  if (isBucketUrl(value)) parseBucketUrl(value);
  return value;
};

const flag: Parse<boolean> = (value) => {
  const words: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };
  const found = words[value.toLowerCase()];
  if (found === undefined) throw expected('true or false');
  return found;
};

const secretKey: Parse<Buffer> = (value) => {
  const key = decodeSecretKey(value);
  if (!key) throw expected('at least 32 bytes as hex or base64');
  return key;
};

const password: Parse<string> = (value) => {
  const problem = passwordProblem(value);
  if (problem !== undefined) throw new Error(`the password ${problem}`);
  return value;
};

/** Words with which paths of the API begin: as a brand they would hide those paths. */
const PATH_WORDS =
  `v\\d+ account accounts announcements ap apps blocks bookmarks conversations custom_emojis directory docs
  domain_blocks emails endorsements favourites featured_tags filters follow_requests followed_tags follows instance lists markers
  media mutes notifications oauth_tokens oembed openapi peers polls preferences profile push reports scheduled_statuses search
  statuses streaming suggestions tags timelines trends update_credentials upload`.split(/\s+/);

/** The words that can be a brand. */
export const BRAND_WORD = {
  form: new RegExp(`^(?!(?:${PATH_WORDS.join('|')})$)[a-z][a-z0-9_]{1,30}$`),
  words: 'a word of 2 to 31 of a-z, 0-9 and _ that begins with a letter, and that no path of the API begins with',
};

const brand: Parse<string> = (value) => {
  if (!BRAND_WORD.form.test(value)) throw expected(BRAND_WORD.words);
  return value;
};

const list: Parse<string[]> = (value) => value.split(/[\s,]+/).filter((item) => item !== '');

const addresses: Parse<string[]> = (value) => {
  const items = list(value);
  const wrong = items.filter((item) => !ipaddr.isValid(item) && !ipaddr.isValidCIDR(item));
  if (wrong.length > 0) throw new Error(`expected addresses or CIDR ranges, got ${wrong.join(', ')}`);
  return items;
};

const url =
  (...schemes: string[]): Parse<string> =>
  (value) => {
    const scheme = parseUrl(value)?.protocol.slice(0, -1);
    if (scheme !== undefined && schemes.includes(scheme)) return value.replace(/\/+$/, '');
    throw expected(`a URL with ${schemes.map((each) => `${each}://`).join(' or ')}`);
  };

/** `name=value` with commas between, percent-encoded where needed: the form of OpenTelemetry. */
const pairs: Parse<Readonly<Record<string, string>>> = (value) => {
  const parts = value.split(',').filter((part) => part.trim() !== '');
  const entries = parts.map((part) => {
    const [, name, text] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === undefined || text === undefined) throw expected('name=value with commas between');
    try {
      return [decodeURIComponent(name), decodeURIComponent(text)] as const;
    } catch {
      throw expected('percent-encoded values');
    }
  });
  return Object.fromEntries(entries);
};

const fraction: Parse<number> = (value) => {
  const number = Number(value);
  if (!(number >= 0 && number <= 1)) throw expected('a number from 0 to 1');
  return number;
};

const oneOf =
  <const T extends string>(...values: T[]): Parse<T> =>
  (value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw expected(`one of ${values.join(', ')}`);
    return found;
  };

const retention: Parse<Retention> = (value) => {
  const [, days, weeks, months] = /^([1-9]\d{0,2}),(\d{1,3}),(\d{1,3})$/.exec(value) ?? [];
  if (days === undefined) throw expected('three numbers, of days, weeks and months, such as 7,4,6');
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
};

/** Every variable of the environment that the server reads; the source of docs/settings.md. */
export const environmentVariables = {
  PORT: {
    parse: port,
    default: '4000',
    meaning:
      'The port to listen on. 0 lets the system choose one. A process with `ROLE=worker` listens only where it is set, for probes and metrics.',
  },
  HOST: {
    parse: (value) => value.replace(/^\[(.*)\]$/, '$1'), // an IPv6 address as it stands before a port
    default: '127.0.0.1',
    meaning: 'The address to listen on: `0.0.0.0` for every network of the machine, as the image has it.',
  },
  BASE_URL: {
    parse: origin,
    otherwise: '`http://localhost:` with the port',
    meaning:
      'The public address of the server: `https://` and its host name, without a path. It becomes part of the identity of every account: set it before anybody registers.',
  },
  HANDLE_DOMAIN: {
    parse: domain,
    otherwise: 'the host of `BASE_URL`',
    meaning: 'The domain in `@name@domain`, where it differs from the host of `BASE_URL`.',
  },
  DATA_DIR: {
    parse: text,
    default: 'data',
    meaning: 'The folder of everything that is stored: the bundled database, uploads, emoji, the secret key.',
  },
  DATABASE_URL: {
    parse: databaseUrl,
    otherwise: 'the bundled PostgreSQL',
    meaning: 'Your own PostgreSQL (15 or newer), for example `postgres://user:password@host:5432/svc`.',
  },
  DATABASE_REPLICA_URL: {
    parse: replicas,
    default: '',
    otherwise: 'the one database answers everything',
    meaning:
      'Streaming replicas of your PostgreSQL, as URLs with commas between. They answer searches, public timelines and the like; what they may not know yet, the database of `DATABASE_URL` answers. It needs `DATABASE_URL` too.',
  },
  REDIS_URL: {
    parse: readRedisUrl,
    otherwise: 'one process',
    meaning: 'The Redis that several processes share, for example `redis://host:6379`. It needs `DATABASE_URL` too.',
  },
  ROLE: {
    parse: oneOf('all', 'web', 'worker'),
    default: 'all',
    meaning:
      'What this process does: `web` answers requests, `worker` runs jobs, `all` does both. The first two need `REDIS_URL` and `DATABASE_URL`.',
  },
  SECRET_KEY: {
    parse: secretKey,
    otherwise: '`DATA_DIR/secret.key`, made by the first start',
    meaning:
      'The key that encrypts stored secrets: at least 32 bytes as hex or base64, the same for every process. What was encrypted with a lost key cannot be read any more.',
  },
  SVC_ADMIN_PASSWORD: {
    parse: password,
    isExact: true,
    otherwise: 'a random one, printed once',
    meaning:
      'The password of the account `admin`, which the first start on an empty database makes; at least 8 characters.',
  },
  ADMIN_TOKEN: {
    parse: text,
    otherwise: 'no such access',
    meaning: 'A secret that gives programs the rights of an administrator, sent as the header `x-admin-token`.',
  },
  CONFIG_FROM_DATABASE: {
    parse: flag,
    default: 'true',
    meaning: 'Whether the settings below can be changed. With `false` all of them stand at their defaults.',
  },
  MEDIA_URL: {
    parse: url('http', 'https'),
    otherwise: '`BASE_URL`',
    meaning:
      'The address under which apps and browsers load files, if it is another one: a second host name of this server. With `STORAGE_URL` also the public address of the bucket or of a CDN before it, for uploads alone ([runbook](runbook.md#files-in-s3)).',
  },
  STORAGE_URL: {
    parse: (value: string) => parseBucketUrl(value),
    otherwise: 'files are in `DATA_DIR`',
    meaning:
      'The bucket of an S3-compatible storage for uploads, emoji, archives and web apps: `s3://bucket/folder?endpoint=https://host&region=name&path-style=true`. Only the bucket must be given; without `endpoint` it is one of Amazon ([runbook](runbook.md#files-in-s3)).',
  },
  STORAGE_KEY_FILE: {
    parse: text,
    otherwise: '`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
    meaning: 'The file with the access key of the bucket: its id and its secret, on two lines.',
  },
  AWS_ACCESS_KEY_ID: {
    parse: text,
    otherwise: 'the first line of `STORAGE_KEY_FILE`',
    meaning: 'The id of the access key of the bucket.',
  },
  AWS_SECRET_ACCESS_KEY: {
    parse: text,
    otherwise: 'the second line of `STORAGE_KEY_FILE`',
    meaning: 'The secret of the access key of the bucket.',
  },
  MEDIA_FILE_MODE: {
    parse: oneOf('0600', '0640'),
    default: '0600',
    meaning:
      'The mode of media files. With `0640` the group of the server may read them, for a web server that serves them.',
  },
  SMTP_URL: {
    parse: url('smtp', 'smtps'),
    otherwise: 'no mail is sent',
    meaning: 'The mail server, for example `smtps://user:password@mail.example`.',
  },
  BACKUP_FOLDER: {
    parse: folder,
    otherwise: 'the server makes no backups by itself',
    meaning:
      'The folder in which the server writes a backup each day ([runbook](runbook.md#backups)); best on another disk. Also `s3://bucket/folder`; what the address leaves out is that of `STORAGE_URL`.',
  },
  BACKUP_KEY_FILE: {
    parse: text,
    otherwise: 'backups are not encrypted',
    meaning:
      'The file with the key that encrypts backups: at least 32 bytes as hex or base64. Without it nobody can read them: store a copy elsewhere.',
  },
  BACKUP_RETENTION: {
    parse: retention,
    default: '7,4,6',
    meaning:
      'Which backups stay in `BACKUP_FOLDER`: the newest of each of the last so many days, weeks and months that have one.',
  },
  STRICT: {
    parse: flag,
    default: 'false',
    meaning:
      'Whether a start is refused when a newer version has used the database; otherwise it is only said. `npm start -- --strict` does the same.',
  },
  TRUSTED_PROXIES: {
    parse: addresses,
    default: '',
    meaning:
      'Addresses and CIDR ranges of your reverse proxies, separated by commas or spaces. Only their `X-Forwarded-…` headers are believed.',
  },
  RATE_LIMITS: {
    parse: oneOf('on', 'auth-only', 'off'),
    default: 'on',
    meaning: 'Which rate limits hold: all, only those of credentials (`auth-only`), or none.',
  },
  MAX_CONNECTIONS: {
    parse: connections,
    default: '10000',
    meaning:
      'The most open connections of clients to this process, and never more than four fifths of the files that the system lets it open. Live streams take at most four fifths of them.',
  },
  LOG_LEVEL: {
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning:
      'The least severe messages in the log: `fatal`, `error`, `warn`, `info`, `debug`, `trace`; `silent` for none.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    parse: url('http', 'https'),
    otherwise: 'no traces',
    meaning:
      'The collector that takes traces over OTLP, for example `http://127.0.0.1:4318`: [traces](runbook.md#traces). Spans go to `/v1/traces` below it.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    parse: pairs,
    default: '',
    meaning:
      'Headers for the collector, such as `authorization=Bearer%20…`: `name=value` with commas between, percent-encoded.',
  },
  OTEL_SERVICE_NAME: {
    parse: text,
    otherwise: '`service.name` of `OTEL_RESOURCE_ATTRIBUTES`, or `svc`',
    meaning: 'The name of this server in traces.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    parse: pairs,
    default: '',
    meaning:
      'What traces tell of this process, such as `deployment.environment.name=production`: `name=value` with commas between, percent-encoded.',
  },
  OTEL_TRACES_SAMPLER: {
    parse: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    default: 'parentbased_always_on',
    meaning:
      'Which requests are traced. With `parentbased_…` jobs and deliveries are traced when their request was; `traceidratio` takes the share of `OTEL_TRACES_SAMPLER_ARG`.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    parse: fraction,
    default: '1',
    meaning: 'The share of requests that `traceidratio` traces, from 0 to 1.',
  },
  PARTS_PAGE: {
    parse: flag,
    default: 'false',
    meaning:
      'Whether `/pages/parts` shows the shared parts of the pages with made-up data, for people who change them. Not for a public server.',
  },
  COMPAT_BRAND: {
    parse: brand,
    default: 'svc',
    meaning:
      'The word that stands for `svc` in the API, for apps that expect another one, until `instance.compat_brand` is set; see below.',
  },
  ALLOWED_PRIVATE_ADDRESSES: {
    parse: list,
    default: '',
    meaning:
      'Hosts of private networks, `host` or `host:port`, that the server may send requests to, over plain HTTP too. For tests, local federation and the API of NsfwApiPolicy only: other servers may make it ask them too.',
  },
  PATH: { parse: text, default: '', meaning: 'The folders in which `ffmpeg` and `ffprobe` are looked for.' },
} as const satisfies Record<string, Variable<unknown>>;

/** A key of at least 32 bytes written as hex or base64, or undefined when `value` is none. */
export function decodeSecretKey(value: string): Buffer | undefined {
  const encoding = /^([0-9a-f]{2})+$/i.test(value) ? 'hex' : 'base64';
  if (encoding === 'base64' && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return undefined;
  const key = Buffer.from(value, encoding);
  return key.length >= 32 ? key : undefined;
}

function expected(what: string): Error {
  return new Error(`expected ${what}`); // the value may be a secret and is not repeated
}
