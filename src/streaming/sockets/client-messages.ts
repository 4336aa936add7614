import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { brandKey, Forbidden, NotFound, readForeignJson, Unauthorized } from '../../common/index.js';
import { Brand } from '../../platform/index.js';
import { type Frame, NO_STREAM, StreamEvent } from '../connections/frame.js';
import type { StreamQuery } from '../connections/topics.js';
import { type ChannelMessage, parseChannelMessage } from './channel-messages.js';
import type { SocketSession } from './socket-session.js';

/** A message has a few keys; each of a hundred in a burst may have 64 kB of values. */
const BOUNDS = { maxValues: 100, maxKeys: 100 };

export const AUTHENTICATE = 'svc:authenticate';

/** A message of a client: its type and further keys. */
export type ClientMessage = StreamQuery & { readonly type: string };

/** `error` is given when the message failed. */
export type ReplyResult = { readonly result: 'success' | 'ignored' } | { readonly error: ReplyError };

type ReplyError = 'bad_topic' | 'unauthorized' | 'too_many_topics' | 'already_authenticated' | 'too_many_connections';

/** Reads the messages of clients and writes the replies (spec §6.1). */
@Injectable()
export class ClientMessages {
  constructor(private readonly brand: Brand) {}

  /**
   * The message parser of the adapter: `event` names the handler. Returns undefined for anything that is no message,
   * also for the empty texts by which some clients keep connections open.
   */
  readonly parse = (data: unknown): { event: string; data: ClientMessage | ChannelMessage } | undefined => {
    const message = parseJson(String(data));
    const channelMessage = parseChannelMessage(message);
    if (channelMessage) return { event: channelMessage.event, data: channelMessage };
    if (!isMessage(message)) return undefined;
    return {
      event: message.type === brandKey(this.brand.word, AUTHENTICATE) ? AUTHENTICATE : message.type,
      data: message,
    };
  };

  /** The frame that replies to a message, under the type that the client used. */
  reply({ type }: ClientMessage, result: ReplyResult): Frame {
    const payload = { type, ...('error' in result ? { result: 'error', error: result.error } : result) };
    return new StreamEvent(brandKey(this.brand.word, 'svc:respond'), JSON.stringify(payload)).frame(NO_STREAM);
  }
}

/** Replies to a message that the API would answer with 401, 403 or 404. The adapter handles all other failures. */
@Catch()
export class ClientMessageFilter implements ExceptionFilter {
  constructor(private readonly messages: ClientMessages) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const socket = host.switchToWs();
    const result = { error: replyErrorOf(error) };
    socket.getClient<SocketSession>().send(this.messages.reply(socket.getData<ClientMessage>(), result));
  }
}

function replyErrorOf(error: unknown): ReplyError {
  if (error instanceof NotFound) return 'bad_topic';
  if (error instanceof Unauthorized || error instanceof Forbidden) return 'unauthorized';
  throw error;
}

function parseJson(text: string): unknown {
  try {
    return readForeignJson(text, BOUNDS);
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is ClientMessage {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
