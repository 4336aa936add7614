import { Injectable } from '@nestjs/common';
import { inOrder, Json, unique } from '../../common/index.js';
import { type ReadCache, ReadCaches, type Reading, valuesOf } from '../../platform/index.js';
import type { RelationshipJson } from '../model/relationship.shape.js';
import { type RelationshipRow, RelationshipRepository } from '../model/relationship.repository.js';
import { relationsOf } from '../model/subjects.js';

const CACHE_BYTES = 2 * 1024 * 1024;

/** A relationship, and whether its account is deactivated. */
interface Seen {
  readonly json: Json;
  readonly deactivated: boolean;
}

/** How relationships are shown. */
export interface RelationshipOptions {
  /** Whether follows are shown as accepted, as the reference shows a new follow of an unlocked account. */
  readonly asAccepted?: boolean;
}

/** Relationships as JSON (spec §2.2): one statement for any number of accounts, none for cached ones. */
@Injectable()
export class RelationshipView {
  private readonly cache: ReadCache<Seen>;

  constructor(
    private readonly repository: RelationshipRepository,
    caches: ReadCaches,
  ) {
    this.cache = caches.create('relationships', CACHE_BYTES, ({ json }) => json.size);
  }

  /**
   * The viewer's relationships to the accounts, in the order of `ids`; unknown ids are left out, and deactivated accounts
   * unless they are asked for.
   */
  async many(
    viewerId: string,
    ids: readonly string[],
    { withHidden = true, ...options }: RelationshipOptions & { readonly withHidden?: boolean } = {},
  ): Promise<Json[]> {
    const wanted = unique(ids);
    const seen = inOrder(wanted, await this.read(viewerId, wanted, options));
    return seen.flatMap(({ json, deactivated }) => (deactivated && !withHidden ? [] : [json]));
  }

  /** Like {@link many}, by account id. */
  async byId(viewerId: string, ids: readonly string[]): Promise<Map<string, Json>> {
    const seen = await this.read(viewerId, ids);
    return new Map([...seen].map(([id, { json }]) => [id, json]));
  }

  private async read(
    viewerId: string,
    ids: readonly string[],
    { asAccepted = false }: RelationshipOptions = {},
  ): Promise<Map<string, Seen>> {
    const keyOf = (id: string) => `${viewerId} ${id}${asAccepted ? ' accepted' : ''}`;
    const found = await this.cache.findMany(ids, keyOf, async (missing) => {
      const rows = await this.repository.facts(viewerId, missing);
      return new Map(rows.map((row) => [row.id, seenAs(row, asAccepted, viewerId)]));
    });
    return valuesOf(found);
  }
}

function seenAs(row: RelationshipRow, asAccepted: boolean, viewerId: string): Reading<Seen> {
  const shown = asAccepted ? { ...row, following: true, requested: false } : row;
  return {
    value: { json: Json.of(relationship(shown)), deactivated: row.deactivated },
    subjects: [row.id, relationsOf(viewerId)],
    endsAt: row.endsAt === null ? undefined : Date.parse(row.endsAt),
  };
}

function relationship(row: RelationshipRow): RelationshipJson {
  const notifying = row.notify === true;
  return {
    id: row.id,
    following: row.following,
    followed_by: row.followedBy,
    blocking: row.blocking,
    blocked_by: row.blockedBy,
    block_expires_at: row.blockExpiresAt,
    muting: row.mutingNotifications !== null,
    muting_notifications: row.mutingNotifications === true,
    muting_expires_at: row.mutingExpiresAt,
    requested: row.requested,
    requested_by: row.requestedBy,
    domain_blocking: row.domainBlocking,
    showing_reblogs: row.reblogs ?? true,
    notifying,
    subscribing: notifying,
    endorsed: row.endorsed,
    note: row.note ?? '',
    languages: row.languages && [...row.languages],
  };
}
