import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { isAccepted, isUnexpired } from '../../accounts/index.js';
import { isNotRemoved } from '../../statuses/index.js';

/** A followee or follower of the account. */
export interface FollowedRow {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
  readonly reblogs: boolean;
  readonly notify: boolean;
  readonly languages: readonly string[] | null;
}

/** An account that is blocked or muted. */
export interface TargetRow {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
  readonly notifications: boolean;
}

export interface LikedRow {
  readonly id: string;
  readonly uri: string;
}

export interface FileRow {
  readonly id: string;
  readonly fileKey: string;
}

/** A page of rows `r`. $1 account, $2 the id before, $3 limit. */
const page = (selection: string) => `select ${selection} and r.id > $2 order by r.id limit $3`;

const follows = (owner: string, other: string) =>
  page(`r.id, a.nickname, a.domain, r.reblogs, r.notify, r.languages from follows r join accounts a on a.id = r.${other}
   where r.${owner} = $1 and ${isAccepted('r')}`);
const following = sql<FollowedRow>('archive.following', follows('follower_id', 'followee_id'));
const followers = sql<FollowedRow>('archive.followers', follows('followee_id', 'follower_id'));

const targets = (table: 'blocks' | 'mutes', notifications: string) =>
  page(`r.id, a.nickname, a.domain, ${notifications} as notifications from ${table} r join accounts a on a.id = r.target_id
   where r.account_id = $1 and ${isUnexpired('r')}`);
const blocks = sql<TargetRow>('archive.blocks', targets('blocks', 'false'));
const mutes = sql<TargetRow>('archive.mutes', targets('mutes', 'r.notifications'));

const posts = (table: 'favourites' | 'bookmarks') =>
  page(
    `r.id, s.uri from ${table} r join statuses s on s.id = r.status_id where r.account_id = $1 and ${isNotRemoved('s')}`,
  );
const likes = sql<LikedRow>('archive.likes', posts('favourites'));
const bookmarks = sql<LikedRow>('archive.bookmarks', posts('bookmarks'));

const files = sql<FileRow>(
  'archive.files',
  page('r.id, r.file_key as "fileKey" from attachments r where r.account_id = $1 and r.file_key is not null'),
);

const domains = sql<{ domain: string }>(
  'archive.domains',
  `select domain from domain_blocks where account_id = $1 order by domain`,
);

/** Reads the data of an archive page by page: rows after an id, in the order of their ids. */
@Injectable()
export class ArchiveContentsRepository {
  constructor(private readonly db: Database) {}

  following(accountId: string, after: string, limit: number): Promise<FollowedRow[]> {
    return this.db.rows(following, [accountId, after, limit]);
  }

  followers(accountId: string, after: string, limit: number): Promise<FollowedRow[]> {
    return this.db.rows(followers, [accountId, after, limit]);
  }

  blocks(accountId: string, after: string, limit: number): Promise<TargetRow[]> {
    return this.db.rows(blocks, [accountId, after, limit]);
  }

  mutes(accountId: string, after: string, limit: number): Promise<TargetRow[]> {
    return this.db.rows(mutes, [accountId, after, limit]);
  }

  likes(accountId: string, after: string, limit: number): Promise<LikedRow[]> {
    return this.db.rows(likes, [accountId, after, limit]);
  }

  bookmarks(accountId: string, after: string, limit: number): Promise<LikedRow[]> {
    return this.db.rows(bookmarks, [accountId, after, limit]);
  }

  /** Uploaded files of the account. */
  files(accountId: string, after: string, limit: number): Promise<FileRow[]> {
    return this.db.rows(files, [accountId, after, limit]);
  }

  /** Domains blocked by the account. */
  async domains(accountId: string): Promise<string[]> {
    return (await this.db.rows(domains, [accountId])).map(({ domain }) => domain);
  }
}
