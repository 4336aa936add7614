import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';

const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/** How long the other end may take to agree that a connection is closed. */
const DISCONNECT_MS = 200;
/** A Redis that hangs counts as away. */
const COMMAND_MS = 500;

/**
 * Options of connections whose commands fail at once while Redis is away, instead of waiting for it. The timeout bounds the
 * commands with which a connection begins.
 */
export const FAIL_FAST = {
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  commandTimeout: CONNECT_MS,
} as const satisfies RedisOptions;

/** Options of connections that wait: a Redis that is away for a while is only late. */
export const PATIENT = { maxRetriesPerRequest: null } as const satisfies RedisOptions;

/**
 * Creates all connections to Redis, and reports when it goes away and when it is back: once each, for all connections
 * together. Redis stores nothing that matters; connections return by themselves.
 */
export class RedisConnections implements OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly opened: Redis[] = [];
  /** Connections that are closed since Redis did not answer on them. */
  private readonly closing = new Set<Redis>();
  private isAway = false;
  private hasRefused = false;
  /** For short commands, shared by all who send some. */
  readonly commands: Redis;

  constructor(
    private readonly url: string,
    private readonly library: Pick<typeof import('ioredis'), 'Redis'>,
  ) {
    this.commands = this.open(FAIL_FAST);
    this.commands.on('ready', () => void this.greet());
  }

  /** Whether commands can be sent at present. */
  get isReady(): boolean {
    return this.canSend(this.commands);
  }

  /**
   * Sends a command on a connection of {@link FAIL_FAST}; whether Redis executed it. A connection without an answer is
   * replaced, so that a Redis that hangs delays the commands of one moment only: later ones fail at once. An answer that came
   * in time counts, also where the event loop was held and reads it late.
   */
  async isAnswered(connection: Redis, command: () => Promise<unknown>): Promise<boolean> {
    if (!this.canSend(connection)) return false;
    try {
      await inTime(command());
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') this.reportRefusal(error);
      else this.replace(connection);
      return false;
    }
  }

  /** A connection of the caller's own, closed with the server. */
  open(options: RedisOptions): Redis {
    const connection = new this.library.Redis(this.url, {
      connectTimeout: CONNECT_MS,
      keepAlive: KEEP_ALIVE_MS,
      disconnectTimeout: DISCONNECT_MS,
      ...options,
    });
    connection.setMaxListeners(0); // each queue that shares one listens to it
    connection.on('error', (error: unknown) => this.complain(error));
    connection.on('close', () => this.closing.delete(connection));
    this.opened.push(connection);
    return connection;
  }

  onApplicationShutdown(): void {
    for (const connection of this.opened.filter(({ status }) => status !== 'end')) connection.disconnect();
  }

  private canSend(connection: Redis): boolean {
    return connection.status === 'ready' && !this.closing.has(connection);
  }

  private replace(connection: Redis): void {
    if (!this.canSend(connection)) return;
    this.closing.add(connection);
    connection.disconnect(true);
  }

  private reportRefusal(error: Error): void {
    if (this.hasRefused) return;
    this.hasRefused = true;
    this.logger.error({ err: withoutCommand(error) }, 'Redis refuses a command: check the rights of its user');
  }

  private complain(error: unknown): void {
    if (this.isAway) return;
    this.isAway = true;
    this.logger.warn(
      { err: withoutCommand(error) },
      'Redis is away: until it is back workers take jobs from the database, limits count in each process, reads ask the database, and messages to other processes are lost',
    );
  }

  private async greet(): Promise<void> {
    if (this.isAway) this.logger.warn('Redis is back');
    this.isAway = false;
    const memory = await this.commands.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction';
    if (policy === 'noeviction') return;
    this.logger.warn(
      `Redis throws away what it holds when its memory is full: set maxmemory-policy to noeviction, it is ${policy}`,
    );
  }
}

/** Rejects when there is no answer after {@link COMMAND_MS}, and none to read then. */
async function inTime(answer: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error('Redis does not answer'));
  const timer = setTimeout(() => setImmediate(giveUp), COMMAND_MS); // Node reads sockets between the two
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** The error without its command: that of `auth` holds the password (threat P8). */
function withoutCommand(error: unknown): unknown {
  if (error instanceof Error && 'command' in error) delete error.command;
  return error;
}
