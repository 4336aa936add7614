import { Injectable } from '@nestjs/common';
import { Bus } from '../../platform/index.js';

const CHANNEL = 'server.restart';

/** Restarts the server in place: each process finishes its requests and jobs, and then starts again. */
@Injectable()
export class ServerRestart {
  private readonly controller = new AbortController();

  constructor(private readonly bus: Bus) {
    bus.subscribe(CHANNEL, () => this.controller.abort());
  }

  /** Asks all processes to restart. */
  request(): void {
    this.bus.publish(CHANNEL, {});
  }

  /** Aborted when this process should restart. */
  get requested(): AbortSignal {
    return this.controller.signal;
  }
}
