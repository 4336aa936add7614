import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { StoredEmoji } from '../../emoji/index.js';

/** A post or a boost. Text columns hold sanitised text: it is sanitised before it is stored. */
@Entity('statuses')
export class Status {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ type: 'text', name: 'author_id', collation: 'C' })
  authorId: string;

  /** The protocol id: of the object, or of the activity for a boost. */
  @Column({ type: 'text' })
  uri: string;

  /** The URL of a remote post's page. That of a local post follows from its id. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  /** One of {@link Visibility}. */
  @Column({ type: 'smallint' })
  visibility: number;

  @Column({ type: 'text', name: 'in_reply_to_id', collation: 'C', nullable: true })
  inReplyToId: string | null;

  /** Remains when the parent is deleted. */
  @Column({ type: 'text', name: 'in_reply_to_account_id', collation: 'C', nullable: true })
  inReplyToAccountId: string | null;

  /** The URI of a parent of another server, which may be stored later, or again. */
  @Column({ type: 'text', name: 'in_reply_to_uri', nullable: true })
  inReplyToUri: string | null;

  /** The group in whose thread it stands. */
  @Column({ type: 'text', name: 'group_id', collation: 'C', nullable: true })
  groupId: string | null;

  @Column({ type: 'text', name: 'reblog_of_id', collation: 'C', nullable: true })
  reblogOfId: string | null;

  @Column({ type: 'text', name: 'quote_of_id', collation: 'C', nullable: true })
  quoteOfId: string | null;

  /** The list that it was written for. Its addressees are stored in {@link Mention}. */
  @Column({ type: 'bigint', name: 'list_id', nullable: true })
  listId: string | null;

  /** As given in the post; remains when the quoted post is deleted. */
  @Column({ type: 'text', name: 'quote_uri', nullable: true })
  quoteUri: string | null;

  /** The author's choice of who may quote it, one of {@link QuotePolicy} or {@link QUOTES_ASKED}; null where there was none. */
  @Column({ type: 'smallint', name: 'quote_policy', nullable: true })
  quotePolicy: number | null;

  /** The id of the quoted author's consent to the quote, a QuoteAuthorization (FEP-044f). */
  @Column({ type: 'text', name: 'quote_approval', nullable: true })
  quoteApproval: string | null;

  /** Whether the quoted author refused the quote, or took the consent back: then it quotes nothing here. */
  @Column({ type: 'boolean', name: 'quote_refused' })
  quoteRefused: boolean;

  /** Null for boosts. */
  @Column({ type: 'bigint', name: 'conversation_id', nullable: true })
  conversationId: string | null;

  @Column({ type: 'text', name: 'content_html' })
  contentHtml: string;

  @Column({ type: 'text', name: 'content_text' })
  contentText: string;

  /** The text as typed; empty when it is `contentText`, null when only the HTML is known. Read it by `sourceOf`. */
  @Column({ type: 'text', nullable: true })
  source: string | null;

  /** The format of `source`. */
  @Column({ type: 'text', name: 'content_type' })
  contentType: string;

  @Column({ type: 'text' })
  spoiler: string;

  @Column({ type: 'boolean' })
  sensitive: boolean;

  @Column({ type: 'text', nullable: true })
  language: string | null;

  @Column({ type: 'boolean' })
  local: boolean;

  /** The custom emoji of a remote post. */
  @Column({ type: 'jsonb' })
  emojis: StoredEmoji[];

  @Column({ type: 'jsonb', nullable: true })
  application: { name: string; website: string | null } | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'edited_at', nullable: true })
  editedAt: Date | null;

  /** When its server last changed a remote post, as far as the server states that. */
  @Column({ type: 'timestamptz', name: 'described_at', nullable: true })
  describedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** The parts that the status has, a sum of {@link StatusFlag}. Other parts are never queried. */
  @Column({ type: 'smallint' })
  flags: number;

  /** Raised by every write to the status or its parts: rendered bodies are cached by version. */
  @Column({ type: 'int' })
  version: number;

  /** For full-text search; computed by the database. */
  @Column({ type: 'tsvector', insert: false, update: false, select: false, nullable: true })
  tsv: string;
}

/** Counters of a post. In their own table, so that counting does not rewrite the text. Boosts have none. */
@Entity('status_stats')
export class StatusStats {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'int' })
  replies: number;

  @Column({ type: 'int' })
  reblogs: number;

  @Column({ type: 'int' })
  favourites: number;

  @Column({ type: 'int' })
  quotes: number;

  @Column({ type: 'int' })
  reactions: number;

  /** The favourites that the server of a remote post states, and those since; null if it states none. */
  @Column({ type: 'int', name: 'remote_favourites', nullable: true })
  remoteFavourites: number | null;

  @Column({ type: 'int', name: 'remote_reblogs', nullable: true })
  remoteReblogs: number | null;
}

/** An account that a status addresses; it may read a status of any visibility. */
@Entity('mentions')
export class Mention {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'smallint' })
  position: number;

  /** Whether the account is addressed but not mentioned: it may read the status, but the mentions do not show it. */
  @Column({ type: 'boolean' })
  silent: boolean;
}

@Entity('hashtags')
export class Hashtag {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** Lower case, without `#`. */
  @Column({ type: 'text' })
  name: string;

  /** Null while a post has the tag or an account follows it. A nightly job updates this. */
  @Column({ type: 'timestamptz', name: 'unused_since', nullable: true })
  unusedSince: Date | null;
}

@Entity('status_hashtags')
export class StatusHashtag {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @PrimaryColumn({ type: 'bigint', name: 'hashtag_id' })
  hashtagId: string;
}

/** The former type of what is gone by the word of its server alone, or with its account: if that serves it later, it is stored. */
export const UNKNOWN_TYPE = '';

/** The trace of a deleted status: its URI returns 410, and a late copy of it is rejected. */
@Entity('tombstones')
export class Tombstone {
  @PrimaryColumn({ type: 'text' })
  uri: string;

  /** Protocol type of the deleted object, such as `Note`. */
  @Column({ type: 'text', name: 'former_type' })
  formerType: string;

  @Column({ type: 'boolean' })
  local: boolean;

  /** Whether its own server deleted a remote post, which may restore it. */
  @Column({ type: 'boolean', name: 'by_server' })
  byServer: boolean;

  /** Whether the staff deleted a remote post, which stays away for good. */
  @Column({ type: 'boolean', name: 'by_staff' })
  byStaff: boolean;

  @Column({ type: 'timestamptz', name: 'deleted_at' })
  deletedAt: Date;
}
