import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/index.js';
import { type InboxDepth, InboxRepository } from './inbox.repository.js';

/** How long a reading of the depth is used. */
const FRESH_MS = 1_000;

/** Adds to the metrics what other servers sent, and what waits for its effect. */
@Injectable()
export class InboxMetrics {
  private readonly received;
  private reading: Promise<InboxDepth> | undefined;
  private readAt = 0;

  constructor(
    metrics: Metrics,
    private readonly queue: InboxRepository,
  ) {
    this.received = metrics.counter('svc_inbox_requests_total', 'Requests to the inbox, by what became of them', [
      'outcome',
    ]);
    metrics.gauge('svc_inbox_queue', 'Received activities that wait for their effect', async () => {
      return (await this.depth()).waiting;
    });
    metrics.gauge('svc_inbox_oldest_seconds', 'Age of the oldest of them', async () => (await this.depth()).oldest);
  }

  /** Counts a request: `queued`, `ignored: <reason>` or `refused: <reason>`. */
  count(outcome: string): void {
    this.received.inc({ outcome });
  }

  /** How full the queue is, at most a second ago. */
  depth(): Promise<InboxDepth> {
    const now = Date.now();
    if (this.reading && now - this.readAt < FRESH_MS) return this.reading;
    this.readAt = now;
    const reading = this.queue.depth();
    reading.catch(() => (this.reading = undefined));
    return (this.reading = reading);
  }
}
