import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Learns that another server can be reached. */
export interface ReachableHostListener {
  /** A host, with its port, has just answered. Not inside a unit of work. */
  markReachable(host: string): Promise<void>;
}

/** Deliveries that wait for a server may start when it answers: `outbox`, which sends, imports `fetch` (docs/adr/0016). */
@Injectable()
export class ReachableHosts extends Port<ReachableHostListener> implements ReachableHostListener {
  markReachable(host: string): Promise<void> {
    return this.filler().markReachable(host);
  }
}
