import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Auth, Unavailable } from '../common/index.js';
import { Admission } from './admission.js';
import { EventStreamSession } from './event-stream-session.js';
import { Sessions } from './sessions.js';
import type { StreamQuery } from './topics.js';

/** Opens streams as answers to plain requests, for clients without WebSockets. */
@Injectable()
export class EventStreams {
  constructor(
    private readonly admission: Admission,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Answers with a stream that lasts until either side ends it.
   * @throws NotFound, Unauthorized, Forbidden, and Unavailable while the server stops
   */
  async open(query: StreamQuery, auth: Auth | undefined, response: ServerResponse): Promise<void> {
    const subscription = await this.admission.open(query, auth);
    if (this.sessions.areEnding) throw new Unavailable();
    if (response.destroyed) return; // the client left meanwhile
    const session = new EventStreamSession(response, auth);
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
