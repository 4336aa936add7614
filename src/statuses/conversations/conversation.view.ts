import { Inject, Injectable } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import { inOrder, Json, keyBy, unique } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import type { ConversationRow } from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';
import { StatusView } from '../rendering/status.view.js';

/**
 * Conversations as JSON (spec §2.4, reference Conversation). Beside their own statement three are sent together, for any
 * number of conversations: their people, and of the last posts the accounts and the owner's marks.
 */
@Injectable()
export class ConversationView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly accounts: AccountView,
    private readonly statuses: StatusView,
  ) {}

  /** Conversations of one owner, in the order given. */
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

  /** From what was loaded: `accounts` are its people, `status` is its last post if the owner is shown it. */
  conversation(
    row: Pick<ConversationRow, 'participation_id' | 'unread' | 'participants' | 'recipients'>,
    ownerId: string,
    accounts: ReadonlyMap<string, Json>,
    status: Json | undefined,
  ): Json {
    const others = row.participants.filter((id) => id !== ownerId);
    return Json.object({
      id: row.participation_id,
      unread: row.unread,
      accounts: inOrder(others.length === 0 ? row.participants : others, accounts),
      last_status: status ?? null,
      [this.env.brand]: Json.object({ recipients: inOrder(row.recipients, accounts) }),
    });
  }
}

/** Everybody who is shown with the conversations. */
export function peopleOf(rows: readonly Pick<ConversationRow, 'participants' | 'recipients'>[]): string[] {
  return unique(rows.flatMap(({ participants, recipients }) => [...participants, ...recipients]));
}

function hasStatus(row: ConversationRow): row is ConversationRow & PageRow {
  return row.id !== null;
}
