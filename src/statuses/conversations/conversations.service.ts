import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnreadConversations } from '../../accounts/index.js';
import { Invalid, NotFound, Page, type PageQuery, unique } from '../../common/index.js';
import { bigintKeyset, flakeKeyset, isBigintId, skipped } from '../../platform/index.js';
import { ConversationRepository, type ParticipationRow } from './conversation.repository.js';
import type { ConversationRow } from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';

/** Of many that are read at once, so many are answered, as with notifications (spec §8). */
const ANSWERED = 80;

/** Conversations of direct posts, as each participant has them (spec §4.2, §4.3). Whose it is not, it does not exist for. */
@Injectable()
export class ConversationsService implements OnModuleInit {
  constructor(
    private readonly repository: ConversationRepository,
    private readonly unreadCount: UnreadConversations,
  ) {}

  onModuleInit(): void {
    this.unreadCount.use(this);
  }

  /** A page of the list, the latest post first; with `recipients` only conversations that reach all of these. */
  async page(ownerId: string, query: PageQuery, recipients?: readonly string[]): Promise<Page<ConversationRow>> {
    const rows = await this.repository.page(ownerId, bigintKeyset(query), query.offset, recipients ?? null);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.participation_id, last: last.participation_id });
  }

  /** Throws NotFound. */
  async one(id: string, ownerId: string): Promise<ConversationRow> {
    const [row] = isBigintId(id) ? await this.repository.byIds(ownerId, [id]) : [];
    if (!row) throw new NotFound();
    return row;
  }

  /** A page of its direct posts, newest first. Throws NotFound. */
  async statuses(id: string, ownerId: string, query: PageQuery, withMuted: boolean): Promise<PageRow[]> {
    const { conversation_id: conversationId } = await this.own(id, ownerId);
    return skipped(query, flakeKeyset(query), (keyset) =>
      this.repository.statuses(conversationId, ownerId, keyset, withMuted),
    );
  }

  /** The conversation itself and whom the owner writes to in it. Throws NotFound. */
  async own(id: string, ownerId: string): Promise<ParticipationRow> {
    const row = isBigintId(id) ? await this.repository.own(id, ownerId) : undefined;
    if (!row) throw new NotFound();
    return row;
  }

  /** Marks one as read. Throws NotFound. */
  async read(id: string, ownerId: string): Promise<void> {
    if (!isBigintId(id) || !(await this.repository.read(id, ownerId))) throw new NotFound();
  }

  /** Marks all as read; answers the first 80 of those that were not. */
  async readAll(ownerId: string): Promise<ConversationRow[]> {
    const ids = await this.repository.readAll(ownerId);
    return ids.length === 0 ? [] : this.repository.byIds(ownerId, ids.slice(0, ANSWERED));
  }

  /** Takes one out of the owner's list; the posts stay, and the next one brings it back. Throws NotFound. */
  async remove(id: string, ownerId: string): Promise<void> {
    if (!isBigintId(id) || !(await this.repository.remove(id, ownerId))) throw new NotFound();
  }

  /**
   * Chooses whom the owner writes to from now on, besides the owner.
   * @throws NotFound for the conversation, Invalid unless all of them are accounts here
   */
  async setRecipients(id: string, ownerId: string, accountIds: readonly string[]): Promise<void> {
    await this.own(id, ownerId);
    const recipients = unique([ownerId, ...accountIds]);
    if ((await this.repository.countActive(recipients)) !== recipients.length) {
      throw new Invalid('Some of the recipients are not found');
    }
    if (!(await this.repository.setRecipients(id, ownerId, recipients))) throw new NotFound();
  }

  /** Forgets conversations whose posts are all gone: each post that answers nothing begins one. */
  async sweep(): Promise<void> {
    for (let after: string | undefined = '0'; after !== undefined;) after = await this.repository.sweep(after);
  }

  /** How many of those that are listed are not read. */
  unread(ownerId: string): Promise<number> {
    return this.repository.unread(ownerId);
  }
}
