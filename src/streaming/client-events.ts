import { Inject, Injectable } from '@nestjs/common';
import { brandKey, Forbidden, NotFound, Unauthorized } from '../common/index.js';
import { ENV, type Env } from '../platform/index.js';
import { Admission } from './admission.js';
import { NO_STREAM, StreamEvent } from './frame.js';
import { Sessions, type SubscribeResult } from './sessions.js';
import type { SocketSession } from './socket-session.js';
import type { StreamQuery } from './topics.js';

/** A message of a client: what it wants, and further keys. */
type ClientEvent = StreamQuery & { readonly type: string };

/** What a reply says besides the type of the event that it answers. */
type Reply = { readonly result: 'success' | 'ignored' } | { readonly result: 'error'; readonly error: string };

type Deed = (session: SocketSession, event: ClientEvent) => Reply | Promise<Reply>;

/** Does what clients ask for over their sockets, and replies (spec §6.1). */
@Injectable()
export class ClientEvents {
  private readonly deeds: ReadonlyMap<string, Deed>;
  private readonly replyName: string;

  constructor(
    @Inject(ENV) { brand }: Env,
    private readonly admission: Admission,
    private readonly sessions: Sessions,
  ) {
    const authenticate: Deed = (session, event) => this.authenticate(session, event);
    this.deeds = new Map<string, Deed>([
      ['subscribe', (session, event) => this.subscribe(session, event)],
      ['unsubscribe', (session, event) => this.unsubscribe(session, event)],
      ['svc:authenticate', authenticate],
      [brandKey(brand, 'svc:authenticate'), authenticate],
    ]);
    this.replyName = brandKey(brand, 'svc:respond');
  }

  /** Handles a text message. One that is no event we know gets no reply. */
  async handle(session: SocketSession, text: string): Promise<void> {
    const event = read(text);
    const deed = event && this.deeds.get(event.type);
    if (!deed) return;
    const reply = await outcome(() => deed(session, event));
    const payload = JSON.stringify({ type: event.type, ...reply });
    session.send(new StreamEvent(this.replyName, payload).frame(NO_STREAM));
  }

  private async subscribe(session: SocketSession, event: ClientEvent): Promise<Reply> {
    return replyTo(this.sessions.subscribe(session, await this.admission.open(event, session.auth)));
  }

  private unsubscribe(session: SocketSession, event: ClientEvent): Reply {
    return replyTo(this.sessions.unsubscribe(session, this.admission.name(event, session.auth)));
  }

  /** Whose a socket is does not change: what it reads was allowed to that user. */
  private async authenticate(session: SocketSession, { token }: ClientEvent): Promise<Reply> {
    const auth = await this.admission.identify(token);
    if (session.auth && session.auth.tokenId !== auth.tokenId) {
      return { result: 'error', error: 'already_authenticated' };
    }
    if (!this.sessions.identify(session, auth)) return { result: 'error', error: 'too_many_connections' };
    return { result: 'success' };
  }
}

async function outcome(deed: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await deed();
  } catch (error) {
    if (error instanceof NotFound) return { result: 'error', error: 'bad_topic' };
    if (error instanceof Unauthorized || error instanceof Forbidden) return { result: 'error', error: 'unauthorized' };
    throw error;
  }
}

function replyTo(result: SubscribeResult): Reply {
  return result === 'full' ? { result: 'error', error: 'too_many_topics' } : { result };
}

/** Undefined for what is no event, also for the empty messages by which some clients keep connections open. */
function read(text: string): ClientEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isEvent(event) ? event : undefined;
}

function isEvent(value: unknown): value is ClientEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
