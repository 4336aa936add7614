import { freePort } from '../../test/support/servers/free-port.ts';
import { RedisServer } from '../../test/support/servers/redis-server.ts';
import { LoadBalancer } from '../../test/process/load-balancer.ts';
import { Scratch, until } from '../../test/process/scratch.ts';
import { type Data, Seeder } from '../data.ts';
import { hashToken, newToken } from '../built.ts';
import { waitMsOf } from '../processes.ts';
import { type Listener, Stage, type StageOptions } from '../stage.ts';
import type { Run } from './kind.ts';
import { OtherServer } from './other-server.ts';

const SIZE = { statuses: 200, accounts: 240, followees: 10 };
const ALL_SCOPES = ['read', 'write', 'follow', 'push'];
/** The longest time until a process listens, on a machine that has much to do. */
const START_MS = 180_000;

/** The role of a process. */
export type Role = 'all' | 'web' | 'worker';

/** A process of the server; its port stays when it is replaced. */
export interface Server {
  readonly role: Role;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  listener: Listener;
}

/** How a system is made. */
export interface SystemOptions extends StageOptions {
  /** One process for each; several need a Redis. */
  readonly roles: readonly Role[];
  /** Whether there is a Redis; by default for several roles. */
  readonly hasRedis?: boolean;
}

/** Processes of the built server with their database, another server, people, and a Redis when there are several. */
export class System implements AsyncDisposable {
  readonly servers: Server[] = [];
  /** The tokens of local accounts without another part; each may order one archive in a week only. */
  readonly crowd: string[] = [];
  /** The longest start in milliseconds, without the time in which the process waited for a core. */
  slowestStartMs = 0;
  private readonly undo = new AsyncDisposableStack();

  private constructor(
    readonly stage: Stage,
    readonly data: Data,
    readonly other: OtherServer,
    readonly redis: RedisServer | undefined,
    readonly signal: AbortSignal,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  static async build(
    { root, rounds, signal }: Run,
    { roles, hasRedis = roles.length > 1, ...more }: SystemOptions,
  ): Promise<System> {
    await using undo = new AsyncDisposableStack();
    const stage = undo.use(await Stage.build(signal, { root, ...more }));
    const data = await new Seeder(stage.sql, SIZE).seed(signal);
    const other = undo.use(await OtherServer.open());
    await other.seed(stage.sql, rounds);
    let redis: RedisServer | undefined;
    if (hasRedis) {
      const scratch = new Scratch();
      undo.defer(() => scratch.remove());
      redis = await RedisServer.start(scratch);
    }
    const addresses = { ALLOWED_PRIVATE_ADDRESSES: other.host, ...(redis && { REDIS_URL: redis.url }) };
    const system = new System(stage, data, other, redis, signal, addresses);
    const accounts = await system.column<string>(
      `select account_id from users join accounts on id = account_id where nickname like 'person%' order by 1`,
    );
    system.crowd.push(...(await system.issueTokens(accounts)));
    for (const role of roles) await system.add(role);
    system.undo.use(undo.move());
    return system;
  }

  /** Adds a process, with settings of its own. */
  async add(role: Role, settings: Readonly<Record<string, string>> = {}): Promise<Server> {
    const port = await freePort();
    const own = { ...this.settings, ...settings, ROLE: role, PORT: String(port) };
    const server = { role, port, settings: own, listener: await this.launch(own) };
    this.servers.push(server);
    return server;
  }

  /** Sends requests to the processes that take some; with probes only to those that are ready. */
  balancer(hasProbes = true): LoadBalancer {
    const takers = this.servers.filter(({ role }) => role !== 'worker');
    return new LoadBalancer(
      takers.map(({ port }) => port),
      hasProbes,
    );
  }

  /** Ends a process; returns its exit code, null when the signal ended it. */
  end(server: Server, signal: NodeJS.Signals): Promise<number | null> {
    return this.stage.stopServer(server.listener, signal);
  }

  /** The processes that have ended, with the last that they said. */
  ended(): string[] {
    return this.servers
      .filter(({ listener }) => !this.stage.isRunning(listener))
      .map(({ role, listener }) => `${role} has ended: ${this.stage.linesOf(listener).slice(-5).join(' | ')}`);
  }

  /** Starts the processes that have ended. */
  async startEnded(): Promise<void> {
    await Promise.all(
      this.servers.map(async (server) => {
        if (!this.stage.isRunning(server.listener)) server.listener = await this.launch(server.settings);
      }),
    );
  }

  /** The values of the first column of a statement. */
  async column<T>(text: string, ...values: unknown[]): Promise<T[]> {
    const { rows } = await this.stage.sql.query<Record<string, T>>(text, values);
    return rows.map((row) => Object.values(row)[0]!);
  }

  /** The account of a person of the seed. */
  async accountId(nickname: string): Promise<string> {
    const [id] = await this.column<string>('select id from accounts where nickname = $1 and domain is null', nickname);
    return id!;
  }

  /** Signs accounts in. */
  async issueTokens(accounts: readonly string[]): Promise<string[]> {
    const tokens = accounts.map(() => newToken());
    await this.stage.sql.query(
      `insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
       select (select min(id) from oauth_apps), account, token, $3, now() + interval '1 day'
       from unnest($1::text[], $2::bytea[]) owner (account, token)`,
      [accounts, tokens.map((token) => hashToken(token)), ALL_SCOPES],
    );
    return tokens;
  }

  /** Revokes a token through one process. */
  async revoke(token: string, { port }: Pick<Server, 'port'>): Promise<Response> {
    const [app] = await this.column<object>(
      `select json_build_object('client_id', client_id, 'client_secret', client_secret) from oauth_apps order by id limit 1`,
    );
    return fetch(`http://127.0.0.1:${port}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...app }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.undo.disposeAsync();
  }

  private async launch(settings: Readonly<Record<string, string>>): Promise<Listener> {
    const start = performance.now();
    const listener = await this.stage.startServer(settings, START_MS);
    if (settings['ROLE'] !== 'worker') await untilReady(listener.port);
    this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - start - waitMsOf(listener.pid));
    return listener;
  }
}

/** Waits until a process is ready. */
export async function untilReady(port: number): Promise<void> {
  const ask = () => fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
  await until('a ready server', async () => (await ask())?.status === 200);
}
