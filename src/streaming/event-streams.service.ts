import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Auth, Unavailable } from '../common/index.js';
import { Admission } from './admission.js';
import { EventStreamSession } from './event-stream-session.js';
import { Places } from './places.js';
import { Sessions } from './sessions.js';
import type { StreamQuery } from './topics.js';

/** Opens streams as answers to plain requests, for clients without WebSockets. */
@Injectable()
export class EventStreams {
  constructor(
    private readonly admission: Admission,
    private readonly sessions: Sessions,
    private readonly places: Places,
  ) {}

  /**
   * Answers with a stream that lasts until either side ends it.
   * @throws NotFound, Unauthorized, Forbidden, TooManyRequests, and Unavailable while the server stops
   */
  async open(query: StreamQuery, auth: Auth | undefined, response: ServerResponse): Promise<void> {
    const subscription = await this.admission.open(query, auth);
    if (this.sessions.areEnding) throw new Unavailable();
    if (response.destroyed) return; // the client left meanwhile
    const address = this.places.addressOf(response.req);
    this.places.require(auth, address);
    const session = new EventStreamSession(response, auth, address);
    session.begin();
    if (response.req.method === 'HEAD') {
      session.close();
      return;
    }
    this.sessions.add(session);
    this.sessions.subscribe(session, subscription);
    response.on('error', ignore).once('close', () => this.sessions.remove(session));
  }
}

function ignore(): void {
  // 'close' follows
}
