import { Injectable } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import { inOrder, Json, keyBy, unique } from '../../common/index.js';
import { Brand } from '../../platform/index.js';
import type { ConversationRow } from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';
import { StatusView } from '../rendering/status.view.js';

/**
 * Renders conversations (spec §2.4, reference Conversation). Besides their own statement, any number of conversations
 * cost three statements, sent together: the participants, the accounts of the last posts, and the owner's state of
 * these posts.
 */
@Injectable()
export class ConversationView {
  constructor(
    private readonly brand: Brand,
    private readonly accounts: AccountView,
    private readonly statuses: StatusView,
  ) {}

  /** Renders conversations of one owner; keeps their order. */
  async many(rows: readonly ConversationRow[], ownerId: string): Promise<Json[]> {
    const context = { viewerId: ownerId };
    const last = keyBy(rows.filter(hasStatus), ({ id }) => id);
    const [accounts, statuses] = await Promise.all([
      this.accounts.many(peopleOf(rows), context),
      this.statuses.byId([...last.values()], context),
    ]);
    return rows.map((row) =>
      this.conversation(row, ownerId, accounts, row.id === null ? undefined : statuses.get(row.id)),
    );
  }

  async one(row: ConversationRow, ownerId: string): Promise<Json> {
    const [conversation] = await this.many([row], ownerId);
    return conversation as Json;
  }

  /** Renders loaded data: `accounts` are the participants, `status` is the last post if the owner may see it. */
  conversation(
    row: Pick<ConversationRow, 'participationId' | 'unread' | 'participants' | 'recipients'>,
    ownerId: string,
    accounts: ReadonlyMap<string, Json>,
    status: Json | undefined,
  ): Json {
    const others = row.participants.filter((id) => id !== ownerId);
    return Json.object({
      id: row.participationId,
      unread: row.unread,
      accounts: inOrder(others.length === 0 ? row.participants : others, accounts),
      last_status: status ?? null,
      [this.brand.word]: Json.object({ recipients: inOrder(row.recipients, accounts) }),
    });
  }
}

/** The ids of all participants and recipients. */
export function peopleOf(rows: readonly Pick<ConversationRow, 'participants' | 'recipients'>[]): string[] {
  return unique(rows.flatMap(({ participants, recipients }) => [...participants, ...recipients]));
}

function hasStatus(row: ConversationRow): row is ConversationRow & PageRow {
  return row.id !== null;
}
