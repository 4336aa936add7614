import { Injectable } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import type { Json } from '../../common/index.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationView, peopleOf } from './conversation.view.js';
import type { StatusForViewer } from '../rendering/status-batch.repository.js';

/** Renders conversations for many participants at once, for streams. Costs two statements, however many there are. */
@Injectable()
export class BatchConversationView {
  constructor(
    private readonly repository: ConversationRepository,
    private readonly view: ConversationView,
    private readonly accounts: AccountView,
  ) {}

  /**
   * Renders the conversations whose last posts are the entries, for the viewer of each entry and in the same order.
   * Undefined when the viewer does not take part, or when there is a later post. `statusOf` are the entries as their
   * viewers see them.
   */
  async many(
    entries: readonly StatusForViewer[],
    statusOf: (entry: StatusForViewer) => Json | undefined,
  ): Promise<(Json | undefined)[]> {
    if (entries.length === 0) return [];
    const rows = await this.repository.ofStatuses(entries);
    const accountsFor = await this.accounts.renderShared(await this.accounts.begin(peopleOf(rows)));
    const views = new Map<string, Json>();
    for (const row of rows) {
      const { accountId: viewerId, lastStatusId: id } = row;
      const status = statusOf({ id, viewerId });
      if (!status) continue;
      views.set(keyOf({ id, viewerId }), this.view.conversation(row, viewerId, accountsFor(viewerId), status));
    }
    return entries.map((entry) => views.get(keyOf(entry)));
  }

  /** Renders conversations of one owner, by id; leaves out those that are gone or that the owner's list does not show. */
  async byIds(ownerId: string, ids: readonly string[]): Promise<Map<string, Json>> {
    const rows = await this.repository.byIds(ownerId, ids);
    const views = await this.view.many(rows, ownerId);
    return new Map(rows.flatMap(({ participationId: id }, at) => (views[at] ? [[id, views[at]] as const] : [])));
  }
}

function keyOf({ id, viewerId }: StatusForViewer): string {
  return `${id} ${viewerId}`;
}
