import { resolve } from 'node:path';
import { builtEndpoints } from '../../../test/support/fixtures/endpoints.js';
import { BRAND_WORD } from './env-variables.js';
import { EnvError, readEnv } from './env.js';

const KEY = 'ab'.repeat(32);

function reasonsOf(source: Record<string, string>): readonly string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof EnvError) return error.reasons;
    throw error;
  }
  return [];
}

describe('readEnv', () => {
  it('needs no variable', () => {
    expect(readEnv({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      listens: true,
      baseUrl: 'http://localhost:4000',
      handleDomain: 'localhost:4000',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      databaseReplicas: [],
      redisUrl: undefined,
      role: 'all',
      adminPassword: undefined,
      secretKey: undefined,
      configFromDatabase: true,
      adminToken: undefined,
      mediaUrl: undefined,
      storage: undefined,
      storageKeyFile: undefined,
      storageKey: undefined,
      mediaFileMode: '0600',
      smtpUrl: undefined,
      allowedPrivateAddresses: [],
      rateLimits: 'on',
      maxConnections: 10_000,
      logLevel: 'info',
      traces: undefined,
      showsParts: false,
      backupFolder: undefined,
      backupKeyFile: undefined,
      backupRetention: { days: 7, weeks: 4, months: 6 },
      strict: false,
      trustedProxies: [],
      searchPath: '',
      brand: 'svc',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it('reads every variable', () => {
    const env = readEnv({
      PORT: '0',
      HOST: '::1',
      BASE_URL: 'https://Social.Example:8443/',
      HANDLE_DOMAIN: 'example.org',
      DATA_DIR: '/srv/svc',
      DATABASE_URL: 'postgres://u:p@db/svc?sslmode=disable',
      DATABASE_REPLICA_URL: 'postgres://r:p@first/svc, postgres://r:p@second:6432/svc',
      SVC_ADMIN_PASSWORD: 'correct horse',
      SECRET_KEY: KEY,
      CONFIG_FROM_DATABASE: 'false',
      ADMIN_TOKEN: 't',
      MEDIA_URL: 'https://media.example/files/',
      SMTP_URL: 'smtps://mail.example',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1:5001, localhost:5002',
      RATE_LIMITS: 'auth-only',
      PATH: '/usr/local/bin:/usr/bin',
      MAX_CONNECTIONS: '2500',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20t, x-tenant=tea',
      OTEL_SERVICE_NAME: 'social',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      PARTS_PAGE: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8 ::1',
      COMPAT_BRAND: 'other_word2',
    });
    expect(env).toMatchObject({
      port: 0,
      host: '::1',
      baseUrl: 'https://social.example:8443',
      handleDomain: 'example.org',
      dataDir: '/srv/svc',
      databaseUrl: 'postgres://u:p@db/svc?sslmode=disable',
      adminPassword: 'correct horse',
      secretKey: Buffer.from(KEY, 'hex'),
      configFromDatabase: false,
      adminToken: 't',
      mediaUrl: 'https://media.example/files',
      smtpUrl: 'smtps://mail.example',
      allowedPrivateAddresses: ['127.0.0.1:5001', 'localhost:5002'],
      rateLimits: 'auth-only',
      maxConnections: 2_500,
      logLevel: 'debug',
      traces: {
        endpoint: 'http://collector:4318',
        headers: { authorization: 'Bearer t', 'x-tenant': 'tea' },
        serviceName: 'social',
        resource: { 'deployment.environment.name': 'test' },
        sampler: 'parentbased_traceidratio',
        ratio: 0.25,
      },
      showsParts: true,
      trustedProxies: ['10.0.0.0/8', '::1'],
      searchPath: '/usr/local/bin:/usr/bin',
      brand: 'other_word2',
    });
  });

  it('reads a password with its blanks', () => {
    expect(readEnv({ SVC_ADMIN_PASSWORD: ' correct horse ' }).adminPassword).toBe(' correct horse ');
  });

  it('reads the first variable of a file with a byte order mark', () => {
    expect(readEnv({ '\ufeffBASE_URL': 'https://social.example' }).baseUrl).toBe('https://social.example');
  });

  it.each(['redis://cache:6379/?family=6', 'redis:///1', 'rediss://:a%25b@cache/0'])('reads REDIS_URL %s', (url) => {
    expect(readEnv({ REDIS_URL: url, DATABASE_URL: 'postgres://u:p@db/svc' }).redisUrl).toBe(url);
  });

  it('reads an IPv6 address in brackets', () => {
    expect(['[::1]', '::1', 'localhost'].map((HOST) => readEnv({ HOST }).host)).toEqual(['::1', '::1', 'localhost']);
  });

  it('treats an empty variable as not set', () => {
    expect(readEnv({ SVC_ADMIN_PASSWORD: '' })).toEqual(readEnv({}));
    expect(readEnv({ PORT: '', DATABASE_URL: ' ', ADMIN_TOKEN: '' })).toEqual(readEnv({}));
  });

  it('omits the default port of http in the default address', () => {
    expect(readEnv({ PORT: '80' })).toMatchObject({ baseUrl: 'http://localhost', handleDomain: 'localhost' });
  });

  it('includes the port of BASE_URL in the default handle domain', () => {
    expect(readEnv({ PORT: '4100' }).handleDomain).toBe('localhost:4100');
    expect(readEnv({ BASE_URL: 'https://social.example' }).handleDomain).toBe('social.example');
  });

  it('reports all errors at once, without the values', () => {
    const reasons = reasonsOf({ PORT: '70000', SECRET_KEY: 'my-short-secret', RATE_LIMITS: 'some', LOG_LEVEL: 'loud' });
    expect(reasons).toEqual([
      'PORT: expected a number from 0 to 65535',
      'SECRET_KEY: expected at least 32 bytes as hex or base64',
      'RATE_LIMITS: expected one of on, auth-only, off',
      'LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it.each([
    ['BASE_URL', 'https://social.example/path'],
    ['BASE_URL', 'https://social.example.'],
    ['BASE_URL', 'https://social..example'],
    ['HANDLE_DOMAIN', 'social.example.'],
    ['BASE_URL', 'https://user@social.example'],
    ['BASE_URL', 'ftp://social.example'],
    ['BASE_URL', 'social.example'],
    ['SVC_ADMIN_PASSWORD', 'secret'],
    ['HANDLE_DOMAIN', 'https://example.org'],
    ['HANDLE_DOMAIN', 'example.org/x'],
    ['DATABASE_URL', 'mysql://u:p@db/svc'],
    ['DATABASE_URL', 'postgres://db/svc'],
    ['DATABASE_URL', 'postgres://u:p@db'],
    ['DATABASE_REPLICA_URL', 'postgres://u:p@first/svc,second'],
    ['CONFIG_FROM_DATABASE', 'maybe'],
    ['REDIS_URL', 'cache:6379'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://cache/first'],
    ['REDIS_URL', 'redis://:50%off@cache'],
    ['SMTP_URL', 'https://mail.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, proxy'],
    ['COMPAT_BRAND', 'Word'],
    ['COMPAT_BRAND', 'w'],
    ['COMPAT_BRAND', 'v2'],
    ['COMPAT_BRAND', 'accounts'],
    ['MAX_CONNECTIONS', '9'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%E0'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['PORT', '-1'],
    ['PORT', '4e3'],
  ])('refuses %s=%s', (name, value) => {
    expect(reasonsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it('refuses every word that a path of the API begins with as a brand', () => {
    const paths = builtEndpoints().map(({ path }) => path.split('/').slice(1));
    const ofApi = paths.filter(([first]) => first === 'api').map(([, ...rest]) => rest);
    // a brand may stand behind the version and in its place, and before `admin`
    const words = ofApi.flatMap(([first = '', second = '']) => (/^v\d$/.test(first) ? [first, second] : [first]));
    words.push(...paths.flatMap(([first = '', second]) => (second === 'admin' ? [first] : [])));
    const free = new Set(words.filter((word) => word !== 'svc' && BRAND_WORD.form.test(word)));
    expect(words.length).toBeGreaterThan(100);
    expect([...free]).toEqual([]);
  });

  const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' };

  it('reads the address of a bucket', () => {
    const amazon = { bucket: 'files', prefix: '', endpoint: undefined, region: 'us-east-1', pathStyle: false };
    expect(readEnv({ STORAGE_URL: 's3://files', ...KEYS })).toMatchObject({
      storage: amazon,
      storageKey: { id: 'id', secret: 'hush' },
    });
    const STORAGE_URL = 's3://files/svc/?endpoint=http://localhost:9000&region=eu-1';
    expect(readEnv({ STORAGE_URL, STORAGE_KEY_FILE: '/etc/key' })).toMatchObject({
      storage: { bucket: 'files', prefix: 'svc/', endpoint: 'http://localhost:9000', region: 'eu-1', pathStyle: true },
      storageKeyFile: '/etc/key',
    });
    expect(readEnv({ STORAGE_URL: `${STORAGE_URL}&path-style=false`, ...KEYS }).storage?.pathStyle).toBe(false);
    expect(readEnv({ BACKUP_FOLDER: 's3://backups/svc', ...KEYS }).backupFolder).toBe('s3://backups/svc');
  });

  it.each([
    ['STORAGE_URL', 'https://files.example'],
    ['STORAGE_URL', '/var/files'],
    ['STORAGE_URL', 's3://id:hush@files'],
    ['STORAGE_URL', 's3://Files'],
    ['STORAGE_URL', 's3://files/a/../b/.c'],
    ['STORAGE_URL', 's3://files?endpoint=s3.example'],
    ['STORAGE_URL', 's3://files?endpoint=https://s3.example/path'],
    ['STORAGE_URL', 's3://files?region=EU'],
    ['STORAGE_URL', 's3://files?path-style=yes'],
    ['STORAGE_URL', 's3://files?secret=hush'],
    ['BACKUP_FOLDER', 's3://id:hush@files'],
  ])('refuses %s=%s, and does not repeat it', (name, value) => {
    const [reason = '', ...more] = reasonsOf({ [name]: value, ...KEYS });
    expect(reason).toMatch(new RegExp(`^${name}: (expected|the access key)`));
    expect(reason).not.toContain('hush');
    expect(more).toEqual([]);
  });

  it('refuses a bucket without an access key', () => {
    const reason = 'needs STORAGE_KEY_FILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
    expect(reasonsOf({ STORAGE_URL: 's3://files' })).toEqual([`STORAGE_URL ${reason}`]);
    expect(reasonsOf({ BACKUP_FOLDER: 's3://files/x', AWS_ACCESS_KEY_ID: 'id' })).toEqual([`BACKUP_FOLDER ${reason}`]);
  });

  it('accepts a key in base64', () => {
    const key = Buffer.alloc(33, 7);
    expect(readEnv({ SECRET_KEY: key.toString('base64') }).secretKey).toEqual(key);
    expect(readEnv({ SECRET_KEY: key.toString('base64url') }).secretKey).toEqual(key);
  });

  it('refuses replicas of the bundled database', () => {
    expect(reasonsOf({ DATABASE_REPLICA_URL: 'postgres://u:p@db/svc' })).toEqual([
      expect.stringContaining('DATABASE_REPLICA_URL needs DATABASE_URL'),
    ]);
  });

  it.each(['web', 'worker'])('refuses the role %s without Redis and a database for several processes', (role) => {
    expect(reasonsOf({ ROLE: role })).toEqual([
      expect.stringContaining(`ROLE=${role} needs REDIS_URL`),
      expect.stringContaining(`ROLE=${role} needs DATABASE_URL`),
    ]);
    const shared = { REDIS_URL: 'redis://cache', DATABASE_URL: 'postgres://u:p@db/svc' };
    expect(readEnv({ ROLE: role, ...shared }).role).toBe(role);
  });
});
