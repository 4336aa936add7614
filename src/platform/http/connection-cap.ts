import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { ActiveSet } from '../memory/active-set.js';
import { type AddressRange, isWithin, limitedPart, parseAddress, parseRange } from './address-range.js';
import { earlyAnswerBytes } from './early-answer.js';

/** The part of the connections that live streams may take: requests and probes keep the rest. */
const STREAM_SHARE = 0.8;
/** The part of the files that the system lets this process open; databases, uploads and other servers need some too. */
const FILE_SHARE = 0.8;
/** The part that is closed at once when all places are taken: choosing visits every connection. */
const CLOSED_SHARE = 0.02;

/** What a connection does, as far as its place depends on it. */
export interface ConnectionState {
  /** `idle` between requests, `working` while the application has one, `transferring` a body or an answer. */
  readonly activity: 'idle' | 'transferring' | 'working';
  /** Since when, on the clock of `performance.now`. */
  readonly since: number;
}

interface Connection {
  readonly socket: Socket;
  readonly openedAt: number;
  /** Stops counting it. */
  leave?: () => void;
}

export interface ConnectionCapOptions {
  /** Connections of the process, and those of one address. */
  readonly max: number;
  readonly maxOfAddress: number;
  /** Addresses and CIDR ranges that are not counted: this machine and trusted proxies stand for many clients. */
  readonly exempt: readonly string[];
  /** Undefined before the first request of a connection. */
  readonly stateOf: (socket: Socket) => ConnectionState | undefined;
}

/**
 * Limits the open connections of this process and of one address (threat H25). When every place is taken, a new
 * connection gets that of the longest idle one, or else of the transfer that has lasted longest: connections that are
 * held and not used shut nobody out. Live streams are idle for good, so they have a limit of their own and keep their
 * places.
 */
export class ConnectionCap {
  private readonly ofAddress = new Map<string, number>();
  private readonly exempt: readonly AddressRange[];
  private readonly open = new ActiveSet<Connection>();
  private readonly streams = new ActiveSet<Socket>();
  private readonly max: number;

  constructor(private readonly options: ConnectionCapOptions) {
    this.exempt = options.exempt.map(parseRange);
    this.max = Math.min(options.max, Math.floor(openFilesLimit() * FILE_SHARE));
  }

  /** Counts a connection until it closes; one above a limit is answered with 503 and closed. */
  readonly admit = (socket: Socket): void => {
    const address = this.countedAddress(socket.remoteAddress);
    const ofAddress = this.ofAddress.get(address ?? '') ?? 0;
    if ((address !== undefined && ofAddress >= this.options.maxOfAddress) || !this.hasRoom()) {
      socket.end(earlyAnswerBytes(503, 'Too many connections'), () => socket.destroy());
      return;
    }
    if (address !== undefined) this.ofAddress.set(address, ofAddress + 1);
    const connection: Connection = { socket, openedAt: performance.now() };
    connection.leave = this.open.add(connection);
    socket.once('close', () => {
      connection.leave?.();
      if (address !== undefined) this.releaseAddress(address);
    });
  };

  /**
   * Counts a connection as a live stream until the returned function is called. Undefined when there are too many:
   * the stream is to be refused then.
   */
  claimStream(socket: Socket): (() => void) | undefined {
    return this.streams.size < this.max * STREAM_SHARE ? this.streams.add(socket) : undefined;
  }

  private releaseAddress(address: string): void {
    const left = (this.ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.ofAddress.set(address, left);
    else this.ofAddress.delete(address);
  }

  private hasRoom(): boolean {
    if (this.open.size >= this.max) this.closeSome();
    return this.open.size < this.max;
  }

  /** Closes the longest idle connections, and only without such those that have transferred for longest. */
  private closeSome(): void {
    const streams = new Set(this.streams.items);
    const closable: { connection: Connection; isIdle: boolean; since: number }[] = [];
    for (const connection of this.open.items) {
      const { activity = 'idle', since = connection.openedAt } = this.options.stateOf(connection.socket) ?? {};
      if (activity !== 'working' && !streams.has(connection.socket))
        closable.push({ connection, isIdle: activity === 'idle', since });
    }
    closable.sort((a, b) => Number(b.isIdle) - Number(a.isIdle) || a.since - b.since);
    for (const { connection } of closable.slice(0, Math.ceil(this.max * CLOSED_SHARE))) {
      connection.leave?.(); // its event `close` comes too late for the new connection
      connection.socket.destroy();
    }
  }

  private countedAddress(text = ''): string | undefined {
    const address = parseAddress(text);
    if (!address || address.range() === 'loopback' || isWithin(address, this.exempt)) return undefined;
    return limitedPart(address);
  }
}

/** The files and connections that this process may have open; infinite where the system does not say. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? Infinity : Number(limit);
  } catch {
    return Infinity;
  }
}
