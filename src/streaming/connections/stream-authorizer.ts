import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ChatTokens, ListsService, UsersService } from '../../accounts/index.js';
import { type Auth, Forbidden, NotFound, parseQuery, Unauthorized } from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import { Brand } from '../../platform/index.js';
import { covers, TokensService } from '../../oauth/index.js';
import { isOpenTopic, listOfTopic, openStream, SHOUTBOX, type StreamQuery, type Subscription } from './topics.js';

/** The user and the first stream of a new connection. */
export interface AuthorizedConnection {
  readonly auth: Auth | undefined;
  /** Undefined when the client asked for none. */
  readonly subscription: Subscription | undefined;
}

/** Decides which clients may connect and which streams they may read (spec §5.6, §6.1). */
@Injectable()
export class StreamAuthorizer {
  constructor(
    private readonly brand: Brand,
    private readonly tokens: TokensService,
    private readonly chatTokens: ChatTokens,
    private readonly users: UsersService,
    private readonly lists: ListsService,
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * Authorizes a request to open a WebSocket.
   * @throws Unauthorized, Forbidden, NotFound, and Invalid for an unreadable query
   */
  async authorizeConnection(request: IncomingMessage): Promise<AuthorizedConnection> {
    const query = queryOf(request);
    const token = tokenOf(request, query);
    const auth = token === undefined ? undefined : await this.authenticate(token);
    return { auth, subscription: isGiven(query['stream']) ? await this.authorizeStream(query, auth) : undefined };
  }

  /**
   * Authorizes a request to open the socket of the shoutbox, with a `chat_token`, which ends when its access token is renewed
   * (threat O10).
   * @throws Forbidden
   */
  async authorizeShoutbox(request: IncomingMessage): Promise<AuthorizedConnection> {
    const { token } = queryOf(request);
    const isOpen = this.settings.get('shout.enabled') && typeof token === 'string';
    const sealed = isOpen ? this.chatTokens.open(token) : undefined;
    const auth = sealed && (await this.tokens.resolveId(sealed.tokenId));
    const isCurrent = auth?.tokenIssuedAt === sealed?.tokenIssuedAt;
    if (!auth || !isCurrent || !covers(auth.scopes, 'read:chats'))
      throw new Forbidden('The shoutbox is closed to this caller');
    return { auth, subscription: undefined };
  }

  /** @throws Unauthorized for an invalid token */
  async authenticate(token: unknown): Promise<Auth> {
    const auth = typeof token === 'string' ? await this.tokens.resolve(token) : undefined;
    if (!auth) throw new Unauthorized();
    if (auth.accountId !== null) await this.users.touchActivity(auth.accountId);
    return auth;
  }

  /**
   * Returns the stream that a client asks for. Only the owner of a list may read the list's stream.
   * @throws NotFound, Unauthorized, Forbidden
   */
  async authorizeStream(query: StreamQuery, auth: Auth | undefined): Promise<Subscription> {
    const subscription = this.resolveStream(query, auth);
    const listId = listOfTopic(subscription.topic);
    if (listId !== undefined && !(await this.lists.find(auth?.accountId ?? '', listId)))
      throw new NotFound('Not found');
    return subscription;
  }

  /**
   * Returns a stream that the client may have opened before. Does not check who owns a list.
   * @throws NotFound, Unauthorized, Forbidden
   */
  resolveStream(query: StreamQuery, auth: Auth | undefined): Subscription {
    const subscription = openStream(query, auth, this.brand.word);
    if (!this.admits(auth)) throw new Unauthorized('This resource requires authentication.');
    if (!this.allowsTopic(subscription.topic, auth)) throw new Unauthorized('authorization required for timeline view');
    return subscription;
  }

  /** Whether a client may still read the topics that it opened before (threat V17). */
  mayRead(topics: readonly string[], auth: Auth | undefined): boolean {
    return topics.length === 0 || (this.admits(auth) && topics.every((topic) => this.allowsTopic(topic, auth)));
  }

  /** Visitors may connect only while the server is public. */
  private admits(auth: Auth | undefined): boolean {
    return this.settings.get('instance.public') || isUser(auth);
  }

  private allowsTopic(topic: string, auth: Auth | undefined): boolean {
    if (topic === SHOUTBOX) return this.settings.get('shout.enabled');
    return isUser(auth) || !isOpenTopic(topic) || !this.anonymous.refusesTimeline(topic.startsWith('public:local'));
  }
}

/** Whether a token belongs to an account, not only to an app. */
export function isUser(auth: Auth | undefined): auth is Auth & { readonly accountId: string } {
  return (auth?.accountId ?? null) !== null;
}

function queryOf({ url = '' }: IncomingMessage): StreamQuery {
  const start = url.indexOf('?');
  return start === -1 ? {} : parseQuery(url.slice(start + 1));
}

/** The token of the query, the subprotocol or the header `Authorization`. Empty values count as absent. */
function tokenOf({ headers }: IncomingMessage, query: StreamQuery): unknown {
  const [protocol] = (headers['sec-websocket-protocol'] ?? '').split(',', 1);
  const [, bearer] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  return [query['access_token'], protocol?.trim(), bearer].find(isGiven);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== null;
}
