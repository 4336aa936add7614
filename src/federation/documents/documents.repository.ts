import { Injectable } from '@nestjs/common';
import { blocks, IS_ACTIVE } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';
import { DIRECT, FOR_FOLLOWERS, maySee, PUBLIC_OR_UNLISTED } from '../../statuses/index.js';
import { NOTE_TABLES, noteColumns } from './note.sql.js';
import type { Activity } from '../render/activities.js';
import type { ActorSource } from '../render/actor.js';
import type { NoteSource } from '../render/note.js';
import type { ApprovalSource } from '../render/quote.js';

const ACTOR_COLUMNS = `a.id, a.nickname, a.ap_id as "apId", a.actor_type as "actorType", a.display_name as "displayName",
     a.note_html as "noteHtml", a.fields, a.avatar_url as "avatarUrl", a.avatar_description as "avatarDescription",
     a.header_url as "headerUrl", a.header_description as "headerDescription", a.locked, a.discoverable, a.indexable,
       a.attribution_domains as "attributionDomains", a.accepts_chat_messages as "acceptsChatMessages",
       a.also_known_as as "alsoKnownAs",
     moved.ap_id as "movedTo", a.birthday, a.show_birthday as "showBirthday", a.created_at as "createdAt",
       k.public_pem as "publicPem"`;

/** An account of this server `a` with its key pair `k`. */
const ACTOR_TABLES =
  'accounts a join keys k on k.account_id = a.id left join accounts moved on moved.id = a.moved_to_id';

// Index: accounts_handle.
const actor = sql<ActorSource>(
  'federation.actor',
  `select ${ACTOR_COLUMNS} from ${ACTOR_TABLES}
   where lower(a.nickname) = lower($1) and coalesce(a.domain, '') = '' and a.deactivated_at is null
     and exists (select from users u where u.account_id = a.id and u.is_confirmed and u.is_approved)`,
);

// Index: accounts_pkey.
const actorById = sql<ActorSource>(
  'federation.actor_by_id',
  `select ${ACTOR_COLUMNS} from ${ACTOR_TABLES} where a.id = $1 and a.deleted_at is null`,
);

// Unsigned requests get public and unlisted posts of visible local accounts. Index: statuses_uri_key.
const note = sql<PageNote>(
  'federation.note',
  `select s.id, ${noteColumns('$2')} from ${NOTE_TABLES}
   where s.uri = $1 and s.local and s.reblog_of_id is null and a.deactivated_at is null
     and ${PUBLIC_OR_UNLISTED.sql('s')}`,
);

// The posts that another server may read for one of its accounts; posts for lists and for this server only are never sent. Index:
// statuses_uri_key.
const noteFor = sql<PageNote>(
  'federation.note_for',
  `select s.id, ${noteColumns('$2')} from ${NOTE_TABLES}
   where s.uri = $1 and s.local and s.reblog_of_id is null and (${FOR_FOLLOWERS.sql('s')} or ${DIRECT.sql('s')})
     and ${maySee('s', '$3')} and not ${blocks('s.author_id', '$3')}`,
);

// The post behind an address that names its id and author. Index: statuses_pkey.
const uriOf = sql<{ uri: string }>(
  'federation.uri_of_status',
  `select s.uri from statuses s join accounts a on a.id = s.author_id
   where s.id = $2 and ${PUBLIC_OR_UNLISTED.sql('s')} and s.local and s.reblog_of_id is null and lower(a.nickname) = lower($1)`,
);

// Index: activities_uri_key.
const activity = sql<{ body: Activity }>(
  'federation.activity',
  `select v.body from activities v join accounts a on a.id = v.account_id
   where v.uri = $1 and v.type <> 'Announce' and a.deactivated_at is null`,
);

// Index: statuses_uri_key.
const reblog = sql<ReblogRow>(
  'federation.reblog',
  `select s.uri, s.visibility, s.created_at as "createdAt", a.ap_id as actor, post.uri as object, author.ap_id as author
   from statuses s join accounts a on a.id = s.author_id
     join statuses post on post.id = s.reblog_of_id join accounts author on author.id = post.author_id
   where s.uri = $1 and s.local and a.deactivated_at is null and ${PUBLIC_OR_UNLISTED.sql('s')} and ${maySee('post', "''")}`,
);

// Index: accounts_handle.
const deletedActor = sql<DeletedActorRow>(
  'federation.deleted_actor',
  `select ap_id as "apId", actor_type as "actorType", deleted_at as "deletedAt" from accounts
   where lower(nickname) = lower($1) and coalesce(domain, '') = '' and deleted_at is not null`,
);

// Index: primary key.
const addresses = sql<AddressesRow>(
  'federation.addresses',
  `select a.nickname, a.domain, a.ap_id as "apId", a.url from accounts a left join users u on u.account_id = a.id
   where a.id = $1 and ${IS_ACTIVE}`,
);

/** An author, as `$1`: the name of an account here, or the address of one of its posts, boosts, consents or activities. */
const AUTHOR = `coalesce(
     (select author_id from statuses where uri = $1),
     (select q.author_id from statuses s join statuses q on q.id = s.quote_of_id where s.quote_approval = $1 limit 1),
     (select account_id from activities where uri = $1 limit 1),
     (select id from accounts where lower(nickname) = lower($1) and coalesce(domain, '') = ''))`;

// `$2` is the id of a reader, `$3` are addresses of its key and of the account itself. An owner is compared in the collation of
// `accounts.ap_id`: in that of `remote_keys` no index would serve. Index: blocks_pair, accounts_ap_id_key, remote_keys_pkey,
// statuses_uri_key, activities_uri_key, accounts_handle.
const isRefused = sql<{ refused: boolean }>(
  'federation.is_refused',
  `select true as refused from (
     select $2 as id union select id from accounts where ap_id = any($3::text[])
     union select a.id from remote_keys k join accounts a on a.ap_id = k.owner_uri collate "default" where k.key_id = any($3::text[])) reader
   where ${blocks(AUTHOR, 'reader.id')} limit 1`,
);

// Index: statuses_quote_approval.
const approval = sql<ApprovalSource>(
  'federation.quote_approval',
  `select s.quote_approval as id, a.ap_id as author, s.uri as quoting, q.uri as quoted
   from statuses s join statuses q on q.id = s.quote_of_id join accounts a on a.id = q.author_id
   where s.quote_approval = $1 and q.local and a.deactivated_at is null limit 1`,
);

const tombstone = sql<{ formerType: string; deletedAt: string }>(
  'federation.tombstone',
  `select former_type as "formerType", deleted_at as "deletedAt" from tombstones where uri = $1 and local`,
);

/** A boost by a local account. */
export interface ReblogRow {
  readonly uri: string;
  readonly visibility: number;
  readonly createdAt: string;
  readonly actor: string;
  /** The id of the boosted post. */
  readonly object: string;
  readonly author: string;
}

/** A post that has a page. */
export interface PageNote extends NoteSource {
  readonly id: string;
}

export interface TombstoneRow {
  readonly formerType: string;
  readonly deletedAt: string;
}

/** The addresses of an account of any server. */
export interface AddressesRow {
  readonly nickname: string;
  readonly domain: string | null;
  readonly apId: string;
  readonly url: string | null;
}

/** The tombstone of a deleted account. */
export interface DeletedActorRow {
  readonly apId: string;
  readonly actorType: string;
  readonly deletedAt: string;
}

/** Reads the documents of other servers' requests. */
@Injectable()
export class DocumentsRepository {
  constructor(private readonly db: Database) {}

  /** A visible local account, by its case-insensitive name. */
  actor(nickname: string): Promise<ActorSource | undefined> {
    return this.db.first(actor, [nickname]);
  }

  /** A local account, also a hidden one. */
  actorById(accountId: string): Promise<ActorSource | undefined> {
    return this.db.first(actorById, [accountId]);
  }

  /** A deleted local account, by its case-insensitive name. */
  deletedActor(nickname: string): Promise<DeletedActorRow | undefined> {
    return this.db.first(deletedActor, [nickname]);
  }

  /** An active account of any server, by its id. */
  addresses(id: string): Promise<AddressesRow | undefined> {
    return this.db.first(addresses, [id]);
  }

  /**
   * A local post that the reader may see; '' stands for anonymous readers. `handleDomain` completes the handles of local accounts.
   */
  note(uri: string, handleDomain: string, readerId: string): Promise<PageNote | undefined> {
    if (readerId === '') return this.db.first(note, [uri, handleDomain]);
    return this.db.first(noteFor, [uri, handleDomain, readerId]);
  }

  /** The id of a public or unlisted post of a local account. */
  async uriOf(nickname: string, statusId: string): Promise<string | undefined> {
    return (await this.db.first(uriOf, [nickname, statusId]))?.uri;
  }

  /** A public or unlisted boost of a public or unlisted post. */
  reblog(uri: string): Promise<ReblogRow | undefined> {
    return this.db.first(reblog, [uri]);
  }

  /** An activity that an active account sent to other servers, to any audience; boosts have a method of their own. */
  async activity(uri: string): Promise<Activity | undefined> {
    return (await this.db.first(activity, [uri]))?.body;
  }

  /** Whether the author, named by an account or an address of its documents, blocks the reader, by its id or addresses. */
  async isRefused(author: string, readerId: string, claims: readonly string[]): Promise<boolean> {
    return (await this.db.first(isRefused, [author, readerId, claims])) !== undefined;
  }

  /** The consent of a local author to a quote, while it holds. */
  quoteApproval(uri: string): Promise<ApprovalSource | undefined> {
    return this.db.first(approval, [uri]);
  }

  /** The tombstone of a deleted local post. */
  tombstone(uri: string): Promise<TombstoneRow | undefined> {
    return this.db.first(tombstone, [uri]);
  }
}
