import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Auth, Unauthorized } from '../../common/index.js';
import { ConnectionLimits } from '../connections/connection-limits.js';
import { LiveChannels } from '../connections/live-channels.js';
import { Sessions } from '../connections/sessions.js';
import { StreamAuthorizer } from '../connections/stream-authorizer.js';
import type { StreamQuery } from '../connections/topics.js';
import { EventStreamSession } from './event-stream-session.js';

/** Opens streams as responses to plain requests, for clients without WebSockets. */
@Injectable()
export class EventStreamsService {
  constructor(
    private readonly authorizer: StreamAuthorizer,
    private readonly sessions: Sessions,
    private readonly limits: ConnectionLimits,
    private readonly channels: LiveChannels,
  ) {}

  /**
   * Responds with a stream that lasts until either side ends it.
   * @throws NotFound, Unauthorized, Forbidden, TooManyRequests, and Unavailable while the server stops or has no room for
   * another stream
   */
  async open(query: StreamQuery, auth: Auth | undefined, response: ServerResponse): Promise<void> {
    // A stream ends with its token; a password, which was checked once, would keep it open for good (threat O10).
    if (auth?.tokenId === null) throw new Unauthorized();
    const subscription = await this.authorizer.authorizeStream(query, auth);
    await this.channels.join();
    this.sessions.requireAccepting();
    if (response.destroyed) return; // the client left meanwhile
    const address = this.limits.addressOf(response.req);
    this.limits.requireFree(auth, address);
    response.once('close', this.limits.claimStream(response.req));
    const session = new EventStreamSession(response, auth, address);
    session.begin();
    if (response.req.method === 'HEAD') {
      session.close();
      return;
    }
    this.sessions.addSession(session);
    this.sessions.subscribe(session, subscription);
    response.on('error', ignore).once('close', () => this.sessions.removeSession(session));
  }
}

function ignore(): void {
  // 'close' follows
}
