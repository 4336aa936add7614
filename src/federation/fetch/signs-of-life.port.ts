import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Learns that another server works. */
export interface SignOfLifeListener {
  /** A host, with its port, has just answered. Not inside a unit of work. */
  heardFrom(host: string): Promise<void>;
}

/** What waits for a server may be sent when it answers: `outbox`, which sends, imports `fetch` (docs/adr/0016). */
@Injectable()
export class SignsOfLife extends Port<SignOfLifeListener> implements SignOfLifeListener {
  heardFrom(host: string): Promise<void> {
    return this.filler().heardFrom(host);
  }
}
