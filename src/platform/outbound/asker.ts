import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type AskedBy, AskedHosts, type Leave } from './asked-hosts.js';
import { Outbound, type OutboundRequest, type OutboundResponse } from './outbound.js';
import { OutboundError } from './outbound-error.js';

/** What one piece of work may ask of other servers (threats S10, S13). */
export interface AskingBounds {
  /** Requests, each redirect counted. */
  readonly requests: number;
  /** Time for all of them. */
  readonly ms: number;
}

/** The bounds of a job, of an activity and of a thread. */
export const ASKING: AskingBounds = { requests: 100, ms: 30_000 };

const LONGEST_MS = 20_000;

/** The work may not wait for what it needs, such as the answer of another server: another job has to do it. */
export class MustWait extends Error {
  constructor() {
    super('The work would have to wait for others');
  }
}

/** What is left of the bounds of the work that runs. */
interface Asking {
  left: number;
  /** Zero where nothing may be asked. */
  readonly endsAt: number;
  readonly by: AskedBy;
}

/** Statuses of a server that is away, or asks to be left alone. */
const isAway = ({ status }: OutboundResponse): boolean => status === 429 || status >= 502;

/**
 * Asks other servers, whose time nobody knows: within the bounds of the work that asks, a few requests at a time for each
 * host, and none while a host does not answer. What is sent goes through {@link Outbound} instead.
 */
@Injectable()
export class Asker {
  private readonly work = new AsyncLocalStorage<Asking | undefined>();
  private readonly hosts = new AskedHosts();

  constructor(private readonly outbound: Outbound) {}

  /** Requests that the running work may still make; undefined when it has no bounds, or makes none. */
  get left(): number | undefined {
    const asking = this.work.getStore();
    return asking && asking.endsAt > 0 ? Math.max(0, asking.left) : undefined;
  }

  /** Runs work within bounds of its own. */
  within<T>({ requests, ms }: AskingBounds, work: () => T, by: AskedBy = 'job'): T {
    return this.work.run({ left: requests, endsAt: performance.now() + ms, by }, work);
  }

  /** Runs work within the bounds that hold already, or else within those of a request that somebody waits for. */
  bounded<T>(work: () => T): T {
    return this.work.getStore() ? work() : this.within(ASKING, work, 'request');
  }

  /** Runs work without bounds, whatever bounds hold where it was woken. */
  outside<T>(work: () => T): T {
    return this.work.run(undefined, work);
  }

  /** Runs work that must not wait for another server: asking throws {@link MustWait}. */
  without<T>(work: () => T): T {
    return this.work.run({ left: 0, endsAt: 0, by: 'job' }, work);
  }

  /** Throws {@link MustWait} where nothing may be waited for: before work that asks, is shared, or takes long. */
  requireMayWait(): void {
    if (this.work.getStore()?.endsAt === 0) throw new MustWait();
  }

  /** @throws OutboundError, MustWait */
  async ask(request: OutboundRequest): Promise<OutboundResponse> {
    this.requireMayWait();
    const asking = this.work.getStore();
    const { timeoutMs = LONGEST_MS } = request;
    const leftMs = asking ? asking.endsAt - performance.now() : LONGEST_MS;
    if (leftMs <= 0) throw new OutboundError('timeout', 'The work has no time left');
    let leave: Leave | undefined;
    const beforeHop = async ({ host }: URL, signal: AbortSignal) => {
      leave?.(true);
      leave = undefined;
      if (asking && (asking.left -= 1) < 0) throw new OutboundError('budget', 'The work may ask no more');
      leave = await this.hosts.enter(host, asking?.by ?? 'request', signal);
    };
    try {
      const answer = await this.outbound.fetch({
        ...request,
        timeoutMs: Math.min(timeoutMs, leftMs),
        beforeHop,
      });
      leave?.(asking?.by === 'push' || !isAway(answer)); // a push waits for as long as its service says
      return answer;
    } catch (error) {
      leave?.(!(error instanceof OutboundError && error.isPassing));
      throw error;
    }
  }
}
