import { setTimeout as delay } from 'node:timers/promises';
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type ConnectionExtra, POOL_SIZE } from '../database/data-source.js';
import { breaksConnection } from '../database/database.js';
import type { Statement } from '../database/sql.js';
import type { DatabaseAddress } from '../env/database-address.js';
import { anyTable, replayedPosition, type ReplayedRow, replicaIdentity } from './replication.sql.js';

/** A replica that has not answered within it hangs. */
const ANSWER_MS = 1_000;
const IDLE_MS = 60_000;

/** The options of connections, as `dataSourceOptions` makes them. */
export type ConnectionOptions = ConnectionExtra & pg.PoolConfig;

/** Rows of a replica, which had replayed the log of the primary up to a position when it read them. */
export interface ReplicaRows<Row> {
  readonly rows: Row[];
  readonly position: bigint;
}

/** The server at an address does not follow the database. */
export class NoReplicaError extends Error {}

/** The connections to a replica, from when it was found usable until it fails. */
export class ReplicaSession {
  private readonly clients = new Set<PoolClient>();
  private readonly pool: Pool;
  private watch: PoolClient | undefined;

  private constructor(
    address: DatabaseAddress,
    private readonly options: ConnectionOptions,
    /** That of the primary. */
    readonly identity: string,
  ) {
    // The types of pg know neither of them: a pool waits for what `onConnect` returns.
    const own: object = { changes: null, onConnect: (client: PoolClient) => this.admit(client) };
    this.pool = new pg.Pool({
      ...options,
      ...address,
      min: 0,
      max: POOL_SIZE + 1,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: ANSWER_MS,
      application_name: 'svc',
      ...own,
    });
    this.pool.on('error', () => undefined); // the next use replaces a lost idle connection
  }

  /** @throws NoReplicaError when the server does not follow the database of that identity */
  static async open(address: DatabaseAddress, options: ConnectionOptions, identity: string): Promise<ReplicaSession> {
    const session = new ReplicaSession(address, options, identity);
    try {
      session.watch = await inTime(session.pool.connect());
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** What it has replayed, on a connection that no reads share. */
  async position(): Promise<bigint> {
    if (!this.watch) throw new NoReplicaError('it is closed');
    return positionIn(await inTime(this.watch.query<ReplayedRow>(replayedPosition)));
  }

  /** Each connection shows its position itself: it may lead to another server than the last one, or to a restarted one. */
  async read<Row>({ name, text }: Statement<Row>, values: readonly unknown[]): Promise<ReplicaRows<Row>> {
    const client = await this.pool.connect();
    let isBroken = false;
    try {
      const sent = client.query<ReplayedRow>(replayedPosition);
      const read = client.query<QueryResultRow>({ name, text, values: [...values] });
      const [replayed, { rows }] = await Promise.all([inTime(sent), read]); // behind a balancer it may hang alone
      return { rows: rows as Row[], position: positionIn(replayed) };
    } catch (error) {
      isBroken = breaksConnection(error);
      if (isBroken) client.connection.stream.destroy();
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  /** Ends all connections at once, with what waits for them. */
  close(): void {
    this.watch?.release(true);
    this.watch = undefined;
    void this.pool.end().catch(() => undefined);
    for (const { connection } of this.clients) connection.stream.destroy(); // a server that hangs would not end them
  }

  /** Every connection may lead elsewhere, such as behind a balancer. */
  private async admit(client: PoolClient): Promise<void> {
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
    await inTime(client.query(this.options.settings));
    const found = await inTime(client.query<{ identity: string }>(replicaIdentity));
    if (found.rows[0]?.identity !== this.identity) throw new NoReplicaError('it is no replica of the database');
    positionIn(await inTime(client.query<ReplayedRow>(replayedPosition)));
    await inTime(client.query(anyTable));
  }
}

function positionIn({ rows: [row] }: { readonly rows: readonly ReplayedRow[] }): bigint {
  if (typeof row?.position !== 'string') throw new NoReplicaError('it is no replica: it follows nobody');
  return BigInt(row.position);
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new AbortController();
  const timeout = delay(ANSWER_MS, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${ANSWER_MS} ms`);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    late.abort();
    timeout.catch(() => undefined);
    answer.catch(() => undefined);
  }
}
