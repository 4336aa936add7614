import type { Dispatcher, Pool } from 'undici';
import { OutboundError } from './outbound-error.js';

/** Servers that may be asked at the same time. */
const MAX_SERVERS = 4096;

/** The connections to remote servers: one pool for each. A pool ends with its last connection. */
export class OutboundPools {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly open: (origin: string) => Pool,
    private readonly most = MAX_SERVERS,
  ) {}

  /** @throws OutboundError when too many servers are being asked */
  request(origin: string, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    return this.pool(origin).request(request);
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private pool(origin: string): Pool {
    const known = this.pools.get(origin);
    if (known) return known;
    if (this.pools.size >= this.most) throw new OutboundError('network', 'Too many servers are being asked');
    const pool = this.open(origin);
    this.pools.set(origin, pool);
    // At the time of these events the pool does not know yet that a request was given up. It would stay for ever, and
    // after some thousands of silent servers no other could be asked.
    const closeIfIdle = () => void setImmediate(() => this.dropIfIdle(origin, pool));
    pool.on('disconnect', closeIfIdle).on('connectionError', closeIfIdle);
    return pool;
  }

  private dropIfIdle(origin: string, pool: Pool): void {
    const { connected, size } = pool.stats;
    if (this.pools.get(origin) !== pool || connected > 0 || size > 0) return;
    this.pools.delete(origin);
    pool.close().catch(() => undefined); // no request is waiting any more
  }
}
