import { LRUCache } from 'lru-cache';
import { OutboundError } from './outbound-error.js';
import { entryLimit } from '../memory/cache.js';

/** Who asks: a job in the background, one that sends a push message, or a request that somebody waits for. */
export type AskedBy = 'job' | 'push' | 'request';

/** Ends the visit of a host: whether it answered as a server does that works. */
export type Leave = (answered: boolean) => void;

/** Requests to one host at the same time (threat S13). */
const AT_ONCE: Readonly<Record<AskedBy, number>> = { job: 2, push: 4, request: 6 };
/** How long a request waits for one of these. */
const PATIENCE_MS = 3_000;
/** An answer that takes longer counts as none: such a host holds up as much as a dead one. */
const SLOW_MS = 5_000;
/** After so many failures in a row a host is not asked for a time, which doubles with each further one. */
const FAILURES = 3;
const PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;
const HOUR_MS = 3_600_000;
/** Requests of jobs to one host in an hour, in each process. */
const IN_AN_HOUR = 3_600;
const MAX_HOSTS = 10_000;

interface AskedHost {
  readonly working: Record<AskedBy, number>;
  /** Those that wait for a free place, in order. */
  readonly waiting: Record<AskedBy, (() => void)[]>;
  /** In a row. */
  failures: number;
  /** Not asked before this time. */
  closedUntil: number;
  /** Jobs have asked so often since `hourAt`. */
  asked: number;
  hourAt: number;
}

/** What this process asks of each other server at the moment, and how they answered. */
export class AskedHosts {
  private readonly hosts = new LRUCache<string, AskedHost>(entryLimit(MAX_HOSTS));

  /** @param now a clock in milliseconds that is never set */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Waits for a place among the requests to a host.
   * @throws OutboundError when none gets free in time, and while the host is not asked since it did not answer
   */
  async enter(name: string, by: AskedBy, signal: AbortSignal): Promise<Leave> {
    const host = this.host(name);
    this.requireOpen(host);
    if (by === 'job') this.count(host);
    if (host.working[by] < AT_ONCE[by]) host.working[by] += 1;
    else await this.place(host, by, signal);
    const start = this.now();
    return (answered) => {
      this.judge(host, answered && this.now() - start <= SLOW_MS);
      const next = host.waiting[by].shift();
      if (next) next();
      else host.working[by] -= 1;
    };
  }

  /** The next place that gets free is handed over. */
  private async place(host: AskedHost, by: AskedBy, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const queue = host.waiting[by];
    const proceed = () => resolve(undefined);
    const giveUp = () => {
      const at = queue.indexOf(proceed);
      if (at >= 0) queue.splice(at, 1);
      reject(new OutboundError('busy', 'The server is asked much at the moment'));
    };
    queue.push(proceed);
    const timer = setTimeout(giveUp, PATIENCE_MS);
    signal.addEventListener('abort', giveUp);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** One request at a time finds out whether a host answers again. */
  private requireOpen(host: AskedHost): void {
    const now = this.now();
    if (now < host.closedUntil) throw new OutboundError('away', 'The server did not answer lately');
    if (host.failures >= FAILURES) host.closedUntil = now + PAUSE_MS;
  }

  private judge(host: AskedHost, isWell: boolean): void {
    host.failures = isWell ? 0 : host.failures + 1;
    const doubled = PAUSE_MS * 2 ** (host.failures - FAILURES);
    host.closedUntil = host.failures < FAILURES ? 0 : this.now() + Math.min(doubled, LONGEST_PAUSE_MS);
  }

  private count(host: AskedHost): void {
    const now = this.now();
    if (now - host.hourAt >= HOUR_MS) Object.assign(host, { hourAt: now, asked: 0 });
    if (host.asked >= IN_AN_HOUR) throw new OutboundError('busy', 'The server was asked much in the last hour');
    host.asked += 1;
  }

  private host(name: string): AskedHost {
    const known = this.hosts.get(name);
    if (known) return known;
    const host: AskedHost = {
      working: { job: 0, push: 0, request: 0 },
      waiting: { job: [], push: [], request: [] },
      failures: 0,
      closedUntil: 0,
      asked: 0,
      hourAt: this.now(),
    };
    this.hosts.set(name, host);
    return host;
  }
}
