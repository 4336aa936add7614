import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import {
  cleanText,
  Forbidden,
  Invalid,
  isBlank,
  isLongerThan,
  Json,
  phrase,
  RateLimits,
  requireAllowed,
  TextPolicies,
  unique,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Bus, ENV, type Env, Limiter, LIVE, UnitOfWork } from '../../platform/index.js';
import { LiveChannels } from '../connections/live-channels.js';
import type { Session } from '../connections/session.js';
import { Sessions } from '../connections/sessions.js';
import { SHOUTBOX } from '../connections/topics.js';
import { SocketSession } from '../sockets/socket-session.js';
import { pushed } from '../sockets/channel-messages.js';
import { type ShoutRow, ShoutsRepository } from './shouts.repository.js';

/** The topic as clients name it. */
export const CHANNEL_TOPIC = 'chat:public';
const BUS_CHANNEL = `${LIVE}shoutbox`;
const LIMIT = 'statuses_actions';
/** Number of messages shown to a session that joins. */
const SHOWN = 20;
/** Number of messages stored: more than shown, since some readers hide some authors. */
const KEPT = 200;

/** One chat room for all users of this server (spec §6.1). Messages are not federated. */
@Injectable()
export class ShoutboxService implements OnModuleInit {
  private readonly logger = new Logger(ShoutboxService.name);
  /** Chains the broadcasts, so that messages arrive in their order. */
  private sending: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly bus: Bus,
    private readonly channels: LiveChannels,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly sessions: Sessions,
    private readonly accounts: AccountView,
    private readonly policies: TextPolicies,
    private readonly shouts: ShoutsRepository,
  ) {}

  onModuleInit(): void {
    this.channels.listen(BUS_CHANNEL, (id) => {
      const sending = this.sending.then(() => this.broadcast(id as string));
      this.sending = sending.catch((err: unknown) => this.logger.error({ err }, 'A shout was not sent'));
    });
  }

  /** The newest messages that the account may read, the oldest first. */
  async newest(viewerId: string): Promise<Json[]> {
    return this.render((await this.shouts.newest(viewerId, SHOWN)).reverse());
  }

  /**
   * Stores a message and sends it to all sessions that joined.
   * @throws Forbidden, Invalid, TooManyRequests, Unprocessable when a policy refuses it
   */
  async say(session: Session, text: unknown): Promise<void> {
    const accountId = session.auth?.accountId;
    if (!accountId || !session.allows('write:chats')) throw new Forbidden('The token may not write here');
    const trimmed = typeof text === 'string' ? cleanText(text).trim() : '';
    const max = this.settings.get('instance.shout_limit');
    if (isBlank(trimmed) || isLongerThan(max, trimmed))
      throw new Invalid(phrase('A message has 1 to {max} characters', { max }));
    if (this.env.rateLimits === 'on') {
      const bucket = { name: LIMIT, ...this.limits.of(LIMIT, 'user') };
      requireAllowed(await this.limiter.consume(bucket, `shout ${accountId}`));
    }
    await this.policies.requireAccepted([trimmed], accountId);
    const id = await this.uow.run(async () => {
      const added = await this.shouts.add(accountId, trimmed);
      await this.shouts.trim(added, KEPT);
      return added;
    });
    this.bus.publish(BUS_CHANNEL, id);
  }

  /** Sends a message to the sessions of this process. */
  private async broadcast(id: string): Promise<void> {
    const joined = this.sessions.on(SHOUTBOX);
    const shout = joined.length === 0 ? null : await this.shouts.find(id);
    if (!shout) return;
    const readers = await this.shouts.readers(shout.accountId, unique(joined.map(accountOf)));
    const [message] = await this.render([{ id: shout.id, text: shout.text, accountId: shout.accountId }]);
    const frame = pushed(CHANNEL_TOPIC, 'new_msg', message);
    for (const session of joined) {
      if (session instanceof SocketSession && readers.has(accountOf(session))) session.send(frame);
    }
  }

  private async render(rows: readonly ShoutRow[]): Promise<Json[]> {
    const authors = await this.accounts.many(unique(rows.map((row) => row.accountId)), {});
    return rows.map(({ id, text, accountId }) => Json.object({ id: Number(id), text, author: authors.get(accountId) }));
  }
}

const accountOf = ({ auth }: Session) => auth?.accountId ?? '';
