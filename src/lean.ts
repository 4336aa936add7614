/*
 * Loaded before everything else: keeps out what libraries would load and this server never uses (docs/performance.md).
 * Whoever uses it after all fails at once, when the server starts.
 */
import { createRequire, Module } from 'node:module';

const require = createRequire(import.meta.url);
type Exports = Record<string, unknown>;

/** TypeORM loads the drivers of all databases, and makes the one that is asked for. */
const OTHER_DATABASES = [
  'aurora-mysql/AuroraMysqlDriver',
  'aurora-postgres/AuroraPostgresDriver',
  'better-sqlite3/BetterSqlite3Driver',
  'capacitor/CapacitorDriver',
  'cockroachdb/CockroachDriver',
  'cordova/CordovaDriver',
  'expo/ExpoDriver',
  'mongodb/MongoDriver',
  'mysql/MysqlDriver',
  'nativescript/NativescriptDriver',
  'oracle/OracleDriver',
  'react-native/ReactNativeDriver',
  'sap/SapDriver',
  'spanner/SpannerDriver',
  'sqljs/SqljsDriver',
  'sqlserver/SqlServerDriver',
];
for (const driver of OTHER_DATABASES) standIn(`typeorm/driver/${driver}`, {});

// Uploads are read by our own code; Nest's interceptors for them want this library.
standIn(dependencyOf('@nestjs/platform-express', 'multer'), {});
// The sanitiser lets no `style` through, for which this is.
standIn(dependencyOf('sanitize-html', 'postcss'), {});

/** Of these libraries a part is used. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'prom-client': {
    Counter: 'prom-client/lib/counter',
    Gauge: 'prom-client/lib/gauge',
    Histogram: 'prom-client/lib/histogram',
    Registry: 'prom-client/lib/registry',
  },
  'rate-limiter-flexible': { RateLimiterMemory: 'rate-limiter-flexible/lib/RateLimiterMemory' },
};
for (const [library, parts] of Object.entries(PARTS)) {
  standIn(library, Object.fromEntries(Object.entries(parts).map(([name, file]) => [name, require(file) as unknown])));
}

// Of undici the connections alone, without fetch and HTTP/2; they are loaded with the first request to another server.
standIn('undici/lib/dispatcher/client-h2', {});
standIn('undici', {
  get Pool(): unknown {
    const { prototype } = require('undici/lib/dispatcher/dispatcher') as { prototype: object };
    Object.assign(prototype, require('undici/lib/api'));
    return require('undici/lib/dispatcher/pool') as unknown;
  },
});

// The checks that class-validator comes with load the telephone numbers of all countries; ours are made of these.
const CHECKS = ['Allow', 'IsIn', 'IsOptional', 'ValidateBy', 'ValidateNested'];
standIn(
  'class-validator/cjs/decorator/decorators',
  Object.fromEntries(
    CHECKS.flatMap((name) => Object.entries(require(`class-validator/cjs/decorator/common/${name}`) as Exports)),
  ),
);

// Node's own client is undici once more, and loaded by the first look at one of these names. The metadata of a handler
// looks when it takes a `Response`, and `import ... from 'node:http'` looks at all that node:http exports. Nobody misses
// them: the only way out to other servers is Outbound.
const CLIENT = 'fetch Request Response Headers FormData WebSocket CloseEvent MessageEvent EventSource'.split(' ');
for (const place of [globalThis, process.getBuiltinModule('node:http')]) {
  for (const name of CLIENT) Reflect.deleteProperty(place, name);
}

// Nest makes the format of its log lines when it is loaded, which takes 8 MB; ours come from pino.
const { DateTimeFormat } = Intl;
Intl.DateTimeFormat = new Proxy(DateTimeFormat, { construct: (_class, options) => whenUsed(options) });
await import('@nestjs/common');
Intl.DateTimeFormat = DateTimeFormat;

/** A format that is made by its first use. */
function whenUsed(options: unknown[]): Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined;
  return {
    format: (date) => (made ??= Reflect.construct(DateTimeFormat, options) as Intl.DateTimeFormat).format(date),
  } as Intl.DateTimeFormat;
}

function dependencyOf(library: string, name: string): string {
  return createRequire(require.resolve(library)).resolve(name);
}

/** Takes the place of a CommonJS module: of a library, or of one of its files. */
function standIn(name: string, exports: Exports): void {
  const file = require.resolve(name);
  const module = new Module(file);
  module.loaded = true;
  module.exports = exports;
  require.cache[file] = module;
}
