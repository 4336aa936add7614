import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ListsService, UsersService } from '../accounts/index.js';
import { type Auth, NotFound, parseQuery, Unauthorized } from '../common/index.js';
import { AnonymousAccess, Settings } from '../config/index.js';
import { TokensService } from '../oauth/index.js';
import { isOpenTopic, listOfTopic, openStream, type StreamQuery, type Subscription } from './topics.js';

/** With what a connection begins. */
export interface Admitted {
  readonly auth: Auth | undefined;
  /** Undefined when none was asked for. */
  readonly subscription: Subscription | undefined;
}

/** Decides who may connect, and who may read what (spec §5.6, §6.1). */
@Injectable()
export class Admission {
  constructor(
    private readonly tokens: TokensService,
    private readonly users: UsersService,
    private readonly lists: ListsService,
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * Looks at the request for a connection.
   * @throws Unauthorized, Forbidden, NotFound, and Invalid for a query that cannot be read
   */
  async admit(request: IncomingMessage): Promise<Admitted> {
    const query = queryOf(request);
    const token = tokenOf(request, query);
    const auth = token === undefined ? undefined : await this.identify(token);
    return { auth, subscription: isGiven(query['stream']) ? await this.open(query, auth) : undefined };
  }

  /** @throws Unauthorized for a token that stands for nobody */
  async identify(token: unknown): Promise<Auth> {
    const auth = typeof token === 'string' ? await this.tokens.resolve(token) : undefined;
    if (!auth) throw new Unauthorized();
    if (auth.accountId !== null) await this.users.touchActivity(auth.accountId);
    return auth;
  }

  /**
   * A stream for whoever may read it: a list is open to its owner only.
   * @throws NotFound, Unauthorized, Forbidden
   */
  async open(query: StreamQuery, auth: Auth | undefined): Promise<Subscription> {
    const subscription = this.name(query, auth);
    const listId = listOfTopic(subscription.topic);
    if (listId !== undefined && !(await this.lists.find(auth?.accountId ?? '', listId)))
      throw new NotFound('Not found');
    return subscription;
  }

  /**
   * A stream that somebody may have opened before; whose a list is is not asked.
   * @throws NotFound, Unauthorized, Forbidden
   */
  name(query: StreamQuery, auth: Auth | undefined): Subscription {
    const subscription = openStream(query, auth);
    if (!this.admits(auth)) throw new Unauthorized('This resource requires authentication.');
    if (!this.shows(subscription.topic, auth)) throw new Unauthorized('authorization required for timeline view');
    return subscription;
  }

  /** Whether somebody may read what is streamed under these topics, though it was opened before (threat V17). */
  mayRead(topics: readonly string[], auth: Auth | undefined): boolean {
    return topics.length === 0 || (this.admits(auth) && topics.every((topic) => this.shows(topic, auth)));
  }

  /** Whether somebody may read anything at all: a server that is not public wants a user. */
  private admits(auth: Auth | undefined): boolean {
    return this.settings.get('instance.public') || isUser(auth);
  }

  private shows(topic: string, auth: Auth | undefined): boolean {
    return isUser(auth) || !isOpenTopic(topic) || !this.anonymous.refusesTimeline(topic.startsWith('public:local'));
  }
}

function isUser(auth: Auth | undefined): boolean {
  return (auth?.accountId ?? null) !== null;
}

function queryOf({ url = '' }: IncomingMessage): StreamQuery {
  const start = url.indexOf('?');
  return start === -1 ? {} : parseQuery(url.slice(start + 1));
}

/** In the query, as subprotocol, or as any other request has it; whatever is empty is not there. */
function tokenOf({ headers }: IncomingMessage, query: StreamQuery): unknown {
  const [protocol] = (headers['sec-websocket-protocol'] ?? '').split(',', 1);
  const [, bearer] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
  return [query['access_token'], protocol?.trim(), bearer].find(isGiven);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== null;
}
