import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { UsersService } from './accounts/index.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './common/index.js';
import { ServerRestart } from './config/index.js';
import { migrate } from './migrate.js';
import {
  bracketed,
  type DatabaseAddress,
  Draining,
  type Env,
  HttpAdapter,
  HttpServer,
  isOneOfSeveral,
  knownUrl,
  LocalSweeps,
  newToken,
  ReadCaches,
  StartError,
  startLogger,
  startTracing,
  withAdvisoryLock,
  Worker,
} from './platform/index.js';
import { StartLink } from './sign-in/index.js';
import { StreamingAdapter } from './streaming/index.js';

/** On an empty database, one of several starting processes makes the first account. */
const FIRST_BOOT_LOCK = 'svc: first boot';
/** How long the process serves requests of a load balancer before it stops to listen. */
const GRACE_MS = 5_000;

export interface RunningServer {
  readonly url: string;
  /** Aborted when an administrator asks for a restart. */
  readonly restartRequested: AbortSignal;
  close(): Promise<void>;
}

/**
 * Migrates the database, builds the application, starts the worker and then serves.
 * @param http listens already, and answers 503 until the application is ready
 * @param signal ends the migrations, which may take long
 */
export async function startServer(
  env: Env,
  address: DatabaseAddress,
  http: HttpServer,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<RunningServer> {
  await migrate(address, { onUnknown: (unknown) => checkVersion(env, unknown, log), log, signal });
  const app = await buildApp(env, address, http);
  let startPath: string | undefined;
  try {
    await withAdvisoryLock(address, FIRST_BOOT_LOCK, async () => {
      startPath = await welcomeFirstAdmin(app, env, log);
    });
    await warnOfOtherAddresses(app, log);
    app.get(Draining).attach(http.server);
    await app.get(Worker).start();
    app.get(LocalSweeps).start();
  } catch (error) {
    await app.close();
    throw error;
  }
  http.serve(app.getHttpAdapter().getInstance());
  const url = env.port === 0 ? `http://localhost:${http.port}` : env.baseUrl;
  for (const line of greeting(env, url, http, startPath)) log(line);
  const restartRequested = app.get(ServerRestart).requested;
  return { url, restartRequested, close: () => closeApp(app, isOneOfSeveral(env) ? GRACE_MS : 0) };
}

/** What the operator reads when the server is ready. */
function greeting(env: Env, url: string, http: HttpServer, startPath: string | undefined): string[] {
  if (!env.listens) return [`svc ${env.version} is ready: a worker of ${url}`];
  return [
    `svc ${env.version} is ready at ${url}`,
    `  Listening: ${bracketed(env.host)}:${http.port}`,
    `  Web page:  ${url}/`,
    `  Instance:  ${url}/api/v2/instance`,
    `  API:       ${url}/api/docs`,
    ...(startPath === undefined
      ? []
      : [`  Begin:     ${url}${startPath} signs the administrator in, once, within 15 minutes`]),
    `  Connect:   give an app the address ${knownUrl(url).host} and log in with your account`,
  ];
}

/**
 * Warns that a newer version has used the database.
 * @throws StartError instead, with STRICT
 */
function checkVersion(
  env: Pick<Env, 'strict' | 'version'>,
  unknown: readonly string[],
  log: (line: string) => void,
): void {
  const reason = `A newer version has used the database: ${env.version} does not know ${unknown.join(', ')}.`;
  if (env.strict)
    throw new StartError(`${reason} Run that version, or restore a backup from before it (STRICT is set).`);
  log(`WARNING: ${reason}`);
  log('  It may refuse or damage what this version writes. Run the newer one, or restore a backup from before it;');
  log('  STRICT=true, or npm start -- --strict, refuses such a start.');
}

/** The Nest application for tests and operator commands, configured like the server's; it does not listen. */
export async function createApp(env: Env, address: DatabaseAddress): Promise<NestExpressApplication> {
  const http = new HttpServer(env);
  const app = await buildApp(env, address, http);
  http.serve(app.getHttpAdapter().getInstance());
  return app;
}

async function buildApp(env: Env, address: DatabaseAddress, http: HttpServer): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(env, address, 'own', await startTracing(env)),
    new HttpAdapter(http),
    {
      bodyParser: false,
      abortOnError: false,
      logger: startLogger(env),
    },
  );
  configureHttp(app, env, app.get(ReadCaches).observe);
  app.useWebSocketAdapter(new StreamingAdapter(app));
  await app.init();
  app.useLogger(app.get(Logger));
  return app;
}

/** Ends within 30 seconds: running requests and jobs get 25 and 20 of them. */
async function closeApp(app: NestExpressApplication, graceMs: number): Promise<void> {
  await Promise.all([app.get(Draining).drain(graceMs), app.get(Worker).stop()]);
  await app.close();
}

/** Only warns: the other address may be deliberate. */
async function warnOfOtherAddresses(app: NestExpressApplication, log: (line: string) => void): Promise<void> {
  const addresses = await app.get(UsersService).baseAddresses();
  if (!addresses) return;
  const { first, newest, configured } = addresses;
  const others = [...new Set([first, newest])].filter((address) => address !== configured);
  if (others.length === 0) return;
  const theirs = others.join(' and ');
  log(`Warning: BASE_URL is ${configured}, but accounts were made under ${theirs} and keep that address for good:`);
  log(
    '  other servers cannot find them, and who signs up now gets the new one. Unless the server has moved, change it back.',
  );
}

/**
 * On the first boot, makes the account `admin`. A random password is shown once, unless the operator gave one.
 * @returns the path that signs it in once, when this process serves alone
 */
async function welcomeFirstAdmin(
  app: NestExpressApplication,
  env: Env,
  log: (line: string) => void,
): Promise<string | undefined> {
  const users = app.get(UsersService);
  if (await users.exist()) return undefined;
  const password = env.adminPassword ?? newToken().slice(0, 20);
  const { id } = await users.create({ nickname: 'admin', password, isAdmin: true });
  if (env.adminPassword) log('The account "admin" was created with the password from SVC_ADMIN_PASSWORD.');
  else log(`The account "admin" was created. Its password, shown only now: ${password}`);
  return isOneOfSeveral(env) ? undefined : app.get(StartLink).issue(id);
}
