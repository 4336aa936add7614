import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { hasCode, messageOf, StartError } from '../env/errors.js';
import { fileProblem, fullDiskAt, fullDiskIn } from '../env/file-problem.js';
import type { DatabaseAddress } from '../env/database-address.js';
import { CLUSTER_DATABASE, CLUSTER_USER, openCluster, type Cluster } from './embedded-cluster.js';
import { findPostmaster, launchPostmaster, stopPostmaster, type Postmaster } from './embedded-postmaster.js';
import { makeSocketFolder, removeSocketFolder, SOCKET_PORT } from './embedded-socket.js';

export interface EmbeddedOptions {
  /** DATA_DIR; the cluster is its folder `postgres`. */
  dataDir: string;
  /** The place of the socket when the server is started; its path is at most 93 bytes long. */
  socketDir?: string;
  /** Further server settings, for a server that is started. */
  settings?: Readonly<Record<string, string>>;
  log?: (line: string) => void;
  /** Ends a start with the signal's reason. */
  signal?: AbortSignal;
}

const RECOVERING = '57P03';

/** How long the remains of a killed server may block the next one. */
const RETRY_MS = 2_000;

/** A running server of the bundled PostgreSQL; reachable by a unix socket only. */
export class EmbeddedPostgres {
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly cluster: Cluster,
    readonly address: DatabaseAddress,
    readonly pid: number,
    /** True when another process had started it. */
    readonly joined: boolean,
  ) {}

  /**
   * Joins the server that runs on `dataDir`, or starts it, creating its database when there is none.
   * @throws StartError with PostgreSQL's message when it does not start
   */
  static async startOrJoin(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    options.signal?.throwIfAborted();
    try {
      return await EmbeddedPostgres.persist(options);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const problem = fileProblem(error);
      if (problem) throw problem;
      throw new StartError(`The bundled PostgreSQL cannot run in ${options.dataDir}: ${error.message}`, {
        cause: error,
      });
    }
  }

  private static async persist(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const cluster = await openCluster(options.dataDir, options.log ?? (() => undefined));
    let failingSince: number | undefined;
    for (;;) {
      const attempt = await EmbeddedPostgres.attempt(cluster, options);
      if (attempt instanceof EmbeddedPostgres) return attempt;
      options.signal?.throwIfAborted();
      failingSince = attempt.failure === undefined ? undefined : (failingSince ?? performance.now());
      if (failingSince !== undefined && performance.now() - failingSince > RETRY_MS) {
        const text = `The bundled PostgreSQL in ${cluster.folder} did not start:\n${attempt.failure}`;
        const full = attempt.failure ? fullDiskIn(attempt.failure, cluster.folder) : await fullDiskAt(cluster.folder);
        throw full ?? new StartError(text);
      }
      await delay(20);
    }
  }

  private static async attempt(cluster: Cluster, options: EmbeddedOptions): Promise<EmbeddedPostgres | NotYet> {
    const found = await findPostmaster(cluster);
    if (found) return EmbeddedPostgres.join(cluster, found);
    const socketDir = await makeSocketFolder(cluster, options.socketDir);
    const launch = await launchPostmaster(cluster, socketDir, options.settings ?? {}, options.signal);
    if ('failure' in launch) {
      await removeSocketFolder(socketDir);
      return launch;
    }
    const server = new EmbeddedPostgres(cluster, addressOf(cluster, socketDir, SOCKET_PORT), launch.pid, false);
    try {
      await connectOnce(server.address);
      return server;
    } catch (error) {
      await server.stop();
      return failed(error);
    }
  }

  private static async join(cluster: Cluster, { pid, socketDir, port, status }: Postmaster) {
    if (status !== 'ready') return {};
    const server = new EmbeddedPostgres(cluster, addressOf(cluster, socketDir, port), pid, true);
    try {
      await connectOnce(server.address);
      return server;
    } catch (error) {
      return hasCode(error, RECOVERING) ? {} : failed(error);
    }
  }

  /** Stops the server, even if another process started it, and waits for its end. */
  stop(): Promise<void> {
    this.stopping ??= stopPostmaster(this.cluster, this.pid).then(() => removeSocketFolder(this.address.host));
    return this.stopping;
  }
}

/** An error of the operating system, such as a folder without write access. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** An attempt without result; without a failure the server is starting or stopping. */
interface NotYet {
  readonly failure?: string;
}

function failed(error: unknown): NotYet {
  return { failure: messageOf(error) };
}

function addressOf({ password }: Cluster, host: string, port: number): DatabaseAddress {
  return { host, port, user: CLUSTER_USER, password, database: CLUSTER_DATABASE };
}

/** Connects once; PostgreSQL refuses with {@link RECOVERING} during crash recovery. */
async function connectOnce(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client(address);
  client.on('error', () => undefined); // connect fails as well
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}
