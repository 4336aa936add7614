import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isAccepted, isPending, isUnexpired } from './relations.sql.js';
import { serverNames } from './server-names.js';

/** The relationship of the viewer to an account; nulls where there is none. */
export interface RelationshipRow {
  readonly id: string;
  readonly deactivated: boolean;
  readonly following: boolean;
  readonly requested: boolean;
  readonly reblogs: boolean | null;
  readonly notify: boolean | null;
  readonly languages: readonly string[] | null;
  readonly followedBy: boolean;
  readonly requestedBy: boolean;
  readonly blocking: boolean;
  readonly blockExpiresAt: string | null;
  readonly blockedBy: boolean;
  readonly mutingNotifications: boolean | null;
  readonly mutingExpiresAt: string | null;
  readonly domainBlocking: boolean;
  readonly endorsed: boolean;
  readonly note: string | null;
  /** When the first timed block or mute among them ends. */
  readonly endsAt: string | null;
}

/** A relation of two accounts, looked up for each row; a plain join could read all rows of the viewer. */
const probe = (alias: string, table: string, condition: string) =>
  `left join lateral (select * from ${table} r where ${condition} limit 1) ${alias} on true`;

// Index, once per account: follows_pair, blocks_pair, mutes_pair, endorsements_pair; primary keys of domain_blocks and account_notes.
const facts = sql<RelationshipRow>(
  'relationships.facts',
  `select a.id, a.deactivated_at is not null as deactivated, coalesce(${isAccepted('outgoing')}, false) as following, coalesce(${isPending('outgoing')}, false) as requested,
     outgoing.reblogs, outgoing.notify, outgoing.languages,
     coalesce(${isAccepted('incoming')}, false) as "followedBy", coalesce(${isPending('incoming')}, false) as "requestedBy",
     blocking.id is not null as blocking, blocking.expires_at as "blockExpiresAt", blocked_by.id is not null as "blockedBy",
     muting.notifications as "mutingNotifications", muting.expires_at as "mutingExpiresAt",
     domain.account_id is not null as "domainBlocking", endorsed.id is not null as endorsed, note.comment as note,
     least(blocking.expires_at, blocked_by.expires_at, muting.expires_at) as "endsAt"
   from accounts a
   ${probe('outgoing', 'follows', 'r.follower_id = $1 and r.followee_id = a.id')}
   ${probe('incoming', 'follows', 'r.follower_id = a.id and r.followee_id = $1')}
   ${probe('blocking', 'blocks', `r.account_id = $1 and r.target_id = a.id and ${isUnexpired('r')}`)}
   ${probe('blocked_by', 'blocks', `r.account_id = a.id and r.target_id = $1 and ${isUnexpired('r')}`)}
   ${probe('muting', 'mutes', `r.account_id = $1 and r.target_id = a.id and ${isUnexpired('r')}`)}
   ${probe('domain', 'domain_blocks', `r.account_id = $1 and r.domain = any(${serverNames('a')})`)}
   ${probe('endorsed', 'endorsements', 'r.account_id = $1 and r.target_id = a.id')}
   ${probe('note', 'account_notes', 'r.account_id = $1 and r.target_id = a.id')}
   where a.id = any($2::text[])`,
);

/** Reads relationships; each table's writes have a repository of their own. */
@Injectable()
export class RelationshipRepository {
  constructor(private readonly db: Database) {}

  /** The viewer's relationships to the accounts, in no order; unknown ids are left out. */
  facts(viewerId: string, ids: readonly string[]): Promise<RelationshipRow[]> {
    return this.db.rows(facts, [viewerId, ids]);
  }
}
