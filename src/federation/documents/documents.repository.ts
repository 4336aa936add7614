import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { PUBLIC_OR_UNLISTED } from '../../statuses/index.js';
import { NOTE_TABLES, noteColumns } from './note.sql.js';
import type { ActorSource } from '../render/actor.js';
import type { NoteSource } from '../render/note.js';

// Index: accounts_handle.
const actor = sql<ActorSource>(
  'federation.actor',
  `select a.nickname, a.ap_id, a.actor_type, a.display_name, a.note_html, a.fields, a.avatar_url, a.avatar_description,
     a.header_url, a.header_description, a.locked, a.discoverable, a.accepts_chat_messages, a.also_known_as,
     moved.ap_id as moved_to, a.birthday, a.show_birthday, a.created_at, k.public_pem
   from accounts a join users u on u.account_id = a.id join keys k on k.account_id = a.id
     left join accounts moved on moved.id = a.moved_to_id
   where lower(a.nickname) = lower($1) and coalesce(a.domain, '') = '' and a.deactivated_at is null
     and u.is_confirmed and u.is_approved`,
);

// Unsigned requests get public and unlisted posts of visible local accounts. Index: statuses_uri_key.
const note = sql<PageNote>(
  'federation.note',
  `select s.id, ${noteColumns('$2')} from ${NOTE_TABLES}
   where s.uri = $1 and s.local and s.reblog_of_id is null and a.deactivated_at is null
     and ${PUBLIC_OR_UNLISTED.sql('s')}`,
);

// Index: accounts_handle.
const deletedActor = sql<DeletedActorRow>(
  'federation.deleted_actor',
  `select ap_id, actor_type, deleted_at from accounts
   where lower(nickname) = lower($1) and coalesce(domain, '') = '' and deleted_at is not null`,
);

// Index: primary key.
const addresses = sql<AddressesRow>(
  'federation.addresses',
  `select nickname, domain, ap_id, url from accounts where id = $1 and deactivated_at is null`,
);

const tombstone = sql<{ former_type: string; deleted_at: string }>(
  'federation.tombstone',
  `select former_type, deleted_at from tombstones where uri = $1 and local`,
);

/** A post that has a page. */
export interface PageNote extends NoteSource {
  readonly id: string;
}

export interface TombstoneRow {
  readonly former_type: string;
  readonly deleted_at: string;
}

/** The addresses of an account of any server. */
export interface AddressesRow {
  readonly nickname: string;
  readonly domain: string | null;
  readonly ap_id: string;
  readonly url: string | null;
}

/** The tombstone of a deleted account. */
export interface DeletedActorRow {
  readonly ap_id: string;
  readonly actor_type: string;
  readonly deleted_at: string;
}

/** Reads the documents of other servers' requests. */
@Injectable()
export class DocumentsRepository {
  constructor(private readonly db: Database) {}

  /** A visible local account, by its case-insensitive name. */
  actor(nickname: string): Promise<ActorSource | undefined> {
    return this.db.first(actor, [nickname]);
  }

  /** A deleted local account, by its case-insensitive name. */
  deletedActor(nickname: string): Promise<DeletedActorRow | undefined> {
    return this.db.first(deletedActor, [nickname]);
  }

  /** An active account of any server, by its id. */
  addresses(id: string): Promise<AddressesRow | undefined> {
    return this.db.first(addresses, [id]);
  }

  /** A public or unlisted local post; `handleDomain` completes the handles of local accounts. */
  note(uri: string, handleDomain: string): Promise<PageNote | undefined> {
    return this.db.first(note, [uri, handleDomain]);
  }

  /** The tombstone of a deleted local post. */
  tombstone(uri: string): Promise<TombstoneRow | undefined> {
    return this.db.first(tombstone, [uri]);
  }
}
