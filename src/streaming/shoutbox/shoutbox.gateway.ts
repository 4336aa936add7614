import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { DomainError, Json, Public } from '../../common/index.js';
import { Sessions } from '../connections/sessions.js';
import { SHOUTBOX } from '../connections/topics.js';
import { SOCKET_LIMITS, type SocketSession } from '../sockets/socket-session.js';
import { type ChannelMessage, pushed, replyTo, SHOUTBOX_PATH } from '../sockets/channel-messages.js';
import { CHANNEL_TOPIC, ShoutboxService } from './shoutbox.service.js';

/**
 * The shoutbox over WebSockets (spec §6.1). The adapter has authorized every session that arrives here, so the handlers
 * are open to the global guards.
 */
@WebSocketGateway({ path: SHOUTBOX_PATH, ...SOCKET_LIMITS })
export class ShoutboxGateway implements OnGatewayConnection, OnGatewayDisconnect {
  constructor(
    private readonly sessions: Sessions,
    private readonly shoutbox: ShoutboxService,
  ) {}

  handleConnection(session: SocketSession): void {
    this.sessions.addSession(session);
  }

  handleDisconnect(session: SocketSession): void {
    this.sessions.removeSession(session);
  }

  @SubscribeMessage('heartbeat')
  @Public()
  heartbeat(@MessageBody() message: ChannelMessage): object {
    return replyTo(message);
  }

  @SubscribeMessage('phx_join')
  @Public()
  async join(
    @ConnectedSocket() session: SocketSession,
    @MessageBody() message: ChannelMessage,
  ): Promise<object | undefined> {
    if (message.topic !== CHANNEL_TOPIC) return replyTo(message, 'unmatched topic');
    this.sessions.subscribe(session, { topic: SHOUTBOX, label: '' });
    const messages = await this.shoutbox.newest(session.auth?.accountId ?? '');
    session.send(replyTo(message));
    session.send(pushed(CHANNEL_TOPIC, 'messages', Json.object({ messages })));
    return undefined;
  }

  @SubscribeMessage('phx_leave')
  @Public()
  leave(@ConnectedSocket() session: SocketSession, @MessageBody() message: ChannelMessage): object {
    this.sessions.unsubscribe(session, { topic: SHOUTBOX });
    return replyTo(message);
  }

  @SubscribeMessage('new_msg')
  @Public()
  async say(@ConnectedSocket() session: SocketSession, @MessageBody() message: ChannelMessage): Promise<object> {
    if (message.topic !== CHANNEL_TOPIC || !session.subscriptions.has(SHOUTBOX))
      return replyTo(message, 'unmatched topic');
    try {
      await this.shoutbox.say(session, (message.payload as { text?: unknown } | null)?.text);
      return replyTo(message);
    } catch (error) {
      if (error instanceof DomainError) return replyTo(message, error.message);
      throw error;
    }
  }
}
