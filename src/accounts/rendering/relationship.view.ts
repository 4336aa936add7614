import { Injectable } from '@nestjs/common';
import { inOrder, Json, unique } from '../../common/index.js';
import { type ReadCache, ReadCaches } from '../../platform/index.js';
import type { RelationshipJson } from '../model/relationship.shape.js';
import { type RelationshipRow, RelationshipRepository } from '../model/relationship.repository.js';
import { relationsOf } from '../model/subjects.js';

const CACHE_BYTES = 2 * 1024 * 1024;

/** Relationships as JSON (spec §2.2): one statement for any number of accounts, none for cached ones. */
@Injectable()
export class RelationshipView {
  private readonly cache: ReadCache<Json>;

  constructor(
    private readonly repository: RelationshipRepository,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('relationships', CACHE_BYTES, (json) => json.size);
  }

  /** The viewer's relationships to the accounts, in the order of `ids`; unknown ids are left out. */
  async many(viewerId: string, ids: readonly string[]): Promise<Json[]> {
    const wanted = unique(ids);
    return inOrder(wanted, await this.byId(viewerId, wanted));
  }

  /** Like {@link many}, by account id. */
  async byId(viewerId: string, ids: readonly string[]): Promise<Map<string, Json>> {
    const found = new Map<string, Json>();
    const missing: string[] = [];
    for (const id of ids) {
      const cached = this.cache.get(`${viewerId} ${id}`);
      if (cached) found.set(id, cached.value);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    for (const row of await this.repository.facts(viewerId, missing)) {
      const json = Json.of(relationship(row));
      const endsAt = row.ends_at === null ? undefined : Date.parse(row.ends_at);
      this.cache.put(`${viewerId} ${row.id}`, { value: json, subjects: [row.id, relationsOf(viewerId)], endsAt });
      found.set(row.id, json);
    }
    return found;
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
