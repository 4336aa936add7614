import { resolve } from 'node:path';
import { knownUrl } from '../urls/urls.js';
import { type BucketKey, isBucketUrl } from './bucket-address.js';
import { environmentVariables, type VariableName, type VariableValue } from './env-variables.js';
import { messageOf, StartError } from './errors.js';
import { readProjectFile } from './project-file.js';

/** Injection token of the process's {@link Env}. */
export const ENV = Symbol('ENV');

/** The operator's settings for the life of a process: addresses, secrets, the role. All others are live settings. */
export interface Env {
  /** 0 lets the system choose; `baseUrl` should then be given. */
  port: number;
  host: string;
  /** Whether the process listens: a worker only where `PORT` says so, for probes and metrics. */
  listens: boolean;
  /** The server's public address, scheme and host only, without a trailing slash. */
  baseUrl: string;
  /** The domain in `@name@domain`; carries the port when `baseUrl` does. */
  handleDomain: string;
  /** Absolute. */
  dataDir: string;
  /** Undefined: the bundled PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  databaseReplicas: VariableValue<'DATABASE_REPLICA_URL'>;
  redisUrl: string | undefined;
  role: VariableValue<'ROLE'>;
  adminPassword: string | undefined;
  /** At least 32 bytes; `loadSecretKey` covers the case that it is not set. */
  secretKey: Buffer | undefined;
  configFromDatabase: boolean;
  adminToken: string | undefined;
  mediaUrl: string | undefined;
  /** Where files are stored; undefined: in `dataDir`. */
  storage: VariableValue<'STORAGE_URL'>;
  /** The path of the access key of buckets; undefined: it is in `storageKey`, if anywhere. */
  storageKeyFile: string | undefined;
  storageKey: BucketKey | undefined;
  /** `0640` lets the group of this process read media, for a web server that serves them. */
  mediaFileMode: VariableValue<'MEDIA_FILE_MODE'>;
  smtpUrl: string | undefined;
  /** An absolute path, or `s3://…`; undefined: the server makes no backups by itself. */
  backupFolder: string | undefined;
  backupRetention: VariableValue<'BACKUP_RETENTION'>;
  /** The path of the key that encrypts backups. */
  backupKeyFile: string | undefined;
  /** Whether to refuse a database that a newer version has used. */
  strict: boolean;
  /** Private hosts that outbound requests may reach, over plain http too: for tests, local federation and an API of policies. */
  allowedPrivateAddresses: string[];
  rateLimits: VariableValue<'RATE_LIMITS'>;
  /** Open connections of clients to this process. */
  maxConnections: number;
  logLevel: VariableValue<'LOG_LEVEL'>;
  /** Undefined: there are no traces. */
  traces: TraceSettings | undefined;
  /** Whether the page of all parts of pages is there. */
  showsParts: boolean;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers are believed. */
  trustedProxies: string[];
  /** The folders with programs such as ffmpeg, as in `PATH`. */
  searchPath: string;
  /** The word that replaces `svc` in answers, for apps and dashboards that expect another one. */
  brand: string;
  /** The version of this release, from package.json. */
  version: string;
}

/** Where traces go, and what they tell of this process, by the variables of OpenTelemetry. */
export interface TraceSettings {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string | undefined;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: VariableValue<'OTEL_TRACES_SAMPLER'>;
  /** From 0 to 1. */
  readonly ratio: number;
}

/** Whether the process may be one of several on the same database; otherwise it is alone, and owns its database. */
export function isOneOfSeveral({ redisUrl, databaseUrl }: Env): boolean {
  return redisUrl !== undefined && databaseUrl !== undefined;
}

/** The environment is invalid; the message lists every reason. */
export class EnvError extends StartError {
  override name = 'EnvError';

  constructor(readonly reasons: readonly string[]) {
    super(`The environment is not usable:\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
  }
}

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment; empty variables count as not set.
 * @throws EnvError with all errors at once
 */
export function readEnv(source: Source): Env {
  const read = new Reader(source);
  const port = read.value('PORT');
  const baseUrl = read.value('BASE_URL') ?? knownUrl(`http://localhost:${port}`).origin; // without the port of http
  const env: Env = {
    port,
    host: read.value('HOST'),
    listens: read.value('ROLE') !== 'worker' || read.isSet('PORT'),
    baseUrl,
    handleDomain: read.value('HANDLE_DOMAIN') ?? knownUrl(baseUrl).host,
    dataDir: resolve(read.value('DATA_DIR')),
    databaseUrl: read.value('DATABASE_URL'),
    databaseReplicas: read.value('DATABASE_REPLICA_URL'),
    redisUrl: read.value('REDIS_URL'),
    role: read.value('ROLE'),
    adminPassword: read.value('SVC_ADMIN_PASSWORD'),
    secretKey: read.value('SECRET_KEY'),
    configFromDatabase: read.value('CONFIG_FROM_DATABASE'),
    adminToken: read.value('ADMIN_TOKEN'),
    mediaUrl: read.value('MEDIA_URL'),
    storage: read.value('STORAGE_URL'),
    storageKeyFile: absolute(read.value('STORAGE_KEY_FILE')),
    storageKey: keyOf(read.value('AWS_ACCESS_KEY_ID'), read.value('AWS_SECRET_ACCESS_KEY')),
    mediaFileMode: read.value('MEDIA_FILE_MODE'),
    smtpUrl: read.value('SMTP_URL'),
    backupFolder: absolute(read.value('BACKUP_FOLDER')),
    backupRetention: read.value('BACKUP_RETENTION'),
    backupKeyFile: absolute(read.value('BACKUP_KEY_FILE')),
    strict: read.value('STRICT'),
    allowedPrivateAddresses: read.value('ALLOWED_PRIVATE_ADDRESSES'),
    rateLimits: read.value('RATE_LIMITS'),
    maxConnections: read.value('MAX_CONNECTIONS'),
    logLevel: read.value('LOG_LEVEL'),
    traces: traceSettings(read),
    showsParts: read.value('PARTS_PAGE'),
    trustedProxies: read.value('TRUSTED_PROXIES'),
    searchPath: read.value('PATH'),
    brand: read.value('COMPAT_BRAND'),
    version: packageVersion(),
  };
  const reasons = [...read.reasons, ...contradictions(env)];
  if (reasons.length > 0) throw new EnvError(reasons);
  return env;
}

function traceSettings(read: Reader): TraceSettings | undefined {
  const endpoint = read.value('OTEL_EXPORTER_OTLP_ENDPOINT');
  const settings = {
    headers: read.value('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read.value('OTEL_SERVICE_NAME'),
    resource: read.value('OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read.value('OTEL_TRACES_SAMPLER'),
    ratio: read.value('OTEL_TRACES_SAMPLER_ARG'),
  };
  return endpoint === undefined ? undefined : { endpoint, ...settings };
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined || isBucketUrl(path) ? path : resolve(path);
}

function keyOf(id: string | undefined, secret: string | undefined): BucketKey | undefined {
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function contradictions(env: Env): string[] {
  return [...withoutBucketKey(env), ...withoutOthers(env)];
}

function withoutBucketKey({ storage, backupFolder, storageKeyFile, storageKey }: Env): string[] {
  const uses = [
    ...(storage ? ['STORAGE_URL'] : []),
    ...(backupFolder !== undefined && isBucketUrl(backupFolder) ? ['BACKUP_FOLDER'] : []),
  ];
  if (storageKeyFile !== undefined || storageKey) return [];
  return uses.map((name) => `${name} needs STORAGE_KEY_FILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
}

function withoutOthers(env: Env): string[] {
  const alone =
    env.databaseReplicas.length > 0 && env.databaseUrl === undefined
      ? ['DATABASE_REPLICA_URL needs DATABASE_URL: the bundled PostgreSQL has no replicas']
      : [];
  if (env.role === 'all') return alone;
  const needs = `ROLE=${env.role} needs`;
  return [
    ...alone,
    ...(env.redisUrl ? [] : [`${needs} REDIS_URL: without it one process of the role "all" does everything`]),
    ...(env.databaseUrl ? [] : [`${needs} DATABASE_URL: the bundled PostgreSQL is for one process`]),
  ];
}

function packageVersion(): string {
  const text = readProjectFile('package.json').toString();
  return (JSON.parse(text) as { version: string }).version;
}

/** Stands before the first name when an editor began the file of the environment with it: Node takes it for a letter. */
const BYTE_ORDER_MARK = '\ufeff';

/** Reads single variables, and collects their errors instead of stopping at the first. */
class Reader {
  readonly reasons: string[] = [];

  constructor(private readonly source: Source) {}

  /** The value of a variable, or its default; an invalid one counts as not set. */
  value<N extends VariableName>(name: N): VariableValue<N> {
    const variable: { parse: (text: string) => unknown; default?: string } = environmentVariables[name];
    const unset = () => (variable.default === undefined ? undefined : variable.parse(variable.default));
    const text = this.text(name);
    try {
      return (text === undefined ? unset() : variable.parse(text)) as VariableValue<N>;
    } catch (error) {
      this.reasons.push(`${name}: ${messageOf(error)}`);
      return unset() as VariableValue<N>;
    }
  }

  isSet(name: VariableName): boolean {
    return this.text(name) !== undefined;
  }

  private text(name: VariableName): string | undefined {
    const text = this.source[name] ?? this.source[BYTE_ORDER_MARK + name];
    const isExact = 'isExact' in environmentVariables[name];
    return (isExact ? text : text?.trim()) || undefined; // empty counts as not set
  }
}
