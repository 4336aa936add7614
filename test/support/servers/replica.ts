import type { DatabaseAddress } from '../../../src/platform/index.js';
import { EmbeddedPostgres } from '../../../src/platform/embedded/embedded.js';
import { primaryConninfo } from '../../process/replica-copy.js';
import { ask, isAlive, postmasterOf, until } from '../../process/scratch.js';

/** A replica that tests start, stop and promote. */
export class ReplicaServer {
  readonly address: DatabaseAddress;
  private running: { readonly server: Promise<EmbeddedPostgres>; readonly stop: AbortController } | undefined;

  private stopped: readonly number[] = [];

  /** @param dataDir made by `copyToFollow` */
  constructor(
    private readonly primary: DatabaseAddress,
    private readonly dataDir: string,
    private readonly socketDir: string,
  ) {
    this.address = { ...primary, host: socketDir };
  }

  async start(): Promise<void> {
    const stop = new AbortController();
    const server = EmbeddedPostgres.startOrJoin({
      dataDir: this.dataDir,
      socketDir: this.socketDir,
      settings: { primary_conninfo: primaryConninfo(this.primary), max_standby_streaming_delay: '0' },
      signal: stop.signal,
    });
    server.catch(() => undefined);
    this.running = { server, stop };
    await until('the replica', () => ask(this.address, 'select 1').catch(() => undefined));
  }

  async stop(): Promise<void> {
    this.running?.stop.abort();
    await this.running?.server.then(
      (server) => server.stop(),
      () => undefined,
    );
    this.running = undefined;
  }

  /** Stops all its processes that clients know, or lets them go on. */
  async signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    if (name === 'SIGSTOP') {
      const sessions = `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      const pids = (await ask(this.address, sessions)).map(({ pid }) => pid as number);
      this.stopped = [postmasterOf(this.dataDir)!, ...pids];
    }
    for (const pid of this.stopped.filter(isAlive)) process.kill(pid, name);
  }

  /** Makes it a primary. */
  async promote(): Promise<void> {
    await ask(this.address, 'select pg_promote()');
    await this.running?.server;
  }
}
