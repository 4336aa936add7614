import { type BeforeApplicationShutdown, type OnApplicationBootstrap, UseFilters } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { Public } from '../../common/index.js';
import { Draining } from '../../platform/index.js';
import type { Frame } from '../connections/frame.js';
import { CloseCode } from '../connections/session.js';
import { Sessions, type SubscribeResult } from '../connections/sessions.js';
import { StreamAuthorizer } from '../connections/stream-authorizer.js';
import type { Subscription } from '../connections/topics.js';
import {
  AUTHENTICATE,
  type ClientMessage,
  ClientMessageFilter,
  ClientMessages,
  type ReplyResult,
} from './client-messages.js';
import { SOCKET_LIMITS, SocketSession } from './socket-session.js';

/** How long clients may take to close their side when the server stops. */
const CLOSE_MS = 2_000;

/**
 * The live streams over WebSockets (docs/adr/0012). The adapter has authorized every session that arrives here, and the
 * handlers authorize every stream, so they are open to the global guards.
 */
@WebSocketGateway({ path: '/api/v1/streaming', ...SOCKET_LIMITS })
@UseFilters(ClientMessageFilter)
export class StreamingGateway
  implements OnGatewayConnection, OnGatewayDisconnect, OnApplicationBootstrap, BeforeApplicationShutdown
{
  constructor(
    private readonly draining: Draining,
    private readonly authorizer: StreamAuthorizer,
    private readonly sessions: Sessions,
    private readonly messages: ClientMessages,
  ) {}

  onApplicationBootstrap(): void {
    this.draining.beforeStop(() => this.closeSessions());
  }

  /** For an application that is closed without being drained. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.closeSessions();
  }

  handleConnection(session: SocketSession, subscription: Subscription | undefined): void {
    this.sessions.addSession(session);
    if (subscription) this.sessions.subscribe(session, subscription);
  }

  handleDisconnect(session: SocketSession): void {
    this.sessions.removeSession(session);
  }

  @SubscribeMessage('subscribe')
  @Public()
  async subscribe(@ConnectedSocket() session: SocketSession, @MessageBody() message: ClientMessage): Promise<Frame> {
    const subscription = await this.authorizer.authorizeStream(message, session.auth);
    return this.messages.reply(message, resultOf(this.sessions.subscribe(session, subscription)));
  }

  @SubscribeMessage('unsubscribe')
  @Public()
  unsubscribe(@ConnectedSocket() session: SocketSession, @MessageBody() message: ClientMessage): Frame {
    const subscription = this.authorizer.resolveStream(message, session.auth);
    return this.messages.reply(message, resultOf(this.sessions.unsubscribe(session, subscription)));
  }

  @SubscribeMessage(AUTHENTICATE)
  @Public()
  async authenticate(@ConnectedSocket() session: SocketSession, @MessageBody() message: ClientMessage): Promise<Frame> {
    const auth = await this.authorizer.authenticate(message['token']);
    // A socket keeps its user: its streams were opened for that user.
    if (session.auth && session.auth.tokenId !== auth.tokenId)
      return this.messages.reply(message, { error: 'already_authenticated' });
    if (!this.sessions.authenticateSession(session, auth))
      return this.messages.reply(message, { error: 'too_many_connections' });
    return this.messages.reply(message, { result: 'success' });
  }

  /** Closes all sessions, and cuts off the clients that do not close in time. */
  private async closeSessions(): Promise<void> {
    this.sessions.stopAccepting();
    for (const session of this.sessions) session.close(CloseCode.goingAway, 'The server stops');
    await this.sessions.untilEmpty(CLOSE_MS);
    for (const session of this.sessions) session.terminate();
  }
}

function resultOf(result: SubscribeResult): ReplyResult {
  return result === 'full' ? { error: 'too_many_topics' } : { result };
}
