import { Injectable } from '@nestjs/common';
import { inOrder, Json, unique } from '../../common/index.js';
import type { RelationshipJson } from '../model/relationship.shape.js';
import { type RelationshipRow, RelationshipRepository } from '../model/relationship.repository.js';

/** Relationships as JSON (spec §2.2): one statement for any number of accounts. */
@Injectable()
export class RelationshipView {
  constructor(private readonly repository: RelationshipRepository) {}

  /** The viewer's relationships to the accounts, in the order of `ids`; unknown ids are left out. */
  async many(viewerId: string, ids: readonly string[]): Promise<Json[]> {
    const wanted = unique(ids);
    return inOrder(wanted, await this.byId(viewerId, wanted));
  }

  /** Like {@link many}, by account id. */
  async byId(viewerId: string, ids: readonly string[]): Promise<Map<string, Json>> {
    if (ids.length === 0) return new Map();
    const rows = await this.repository.facts(viewerId, ids);
    return new Map(rows.map((row) => [row.id, Json.of(relationship(row))]));
  }
}

function relationship(row: RelationshipRow): RelationshipJson {
  const notifying = row.notify === true;
  return {
    id: row.id,
    following: row.following,
    followed_by: row.followed_by,
    blocking: row.blocking,
    blocked_by: row.blocked_by,
    block_expires_at: row.block_expires_at,
    muting: row.muting_notifications !== null,
    muting_notifications: row.muting_notifications === true,
    muting_expires_at: row.muting_expires_at,
    requested: row.requested,
    requested_by: row.requested_by,
    domain_blocking: row.domain_blocking,
    showing_reblogs: row.reblogs ?? true,
    notifying,
    subscribing: notifying,
    endorsed: row.endorsed,
    note: row.note ?? '',
    languages: null,
  };
}
