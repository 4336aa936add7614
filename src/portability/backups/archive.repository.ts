import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { isAccepted, isUnexpired } from '../../accounts/index.js';

/** A followee or follower of the account. */
export interface FollowedRow {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
  readonly reblogs: boolean;
  readonly notify: boolean;
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
  readonly file_key: string;
}

/** Reads the data of an archive page by page: rows after an id, in the order of their ids. */
@Injectable()
export class ArchiveContentsRepository {
  constructor(private readonly db: Database) {}

  following(accountId: string, after: string, limit: number): Promise<FollowedRow[]> {
    return this.page(
      `r.id, a.nickname, a.domain, r.reblogs, r.notify from follows r join accounts a on a.id = r.followee_id
       where r.follower_id = $1 and ${isAccepted('r')}`,
      [accountId, after, limit],
    );
  }

  followers(accountId: string, after: string, limit: number): Promise<FollowedRow[]> {
    return this.page(
      `r.id, a.nickname, a.domain, r.reblogs, r.notify from follows r join accounts a on a.id = r.follower_id
       where r.followee_id = $1 and ${isAccepted('r')}`,
      [accountId, after, limit],
    );
  }

  blocks(accountId: string, after: string, limit: number): Promise<TargetRow[]> {
    return this.page(
      `r.id, a.nickname, a.domain, false as notifications from blocks r join accounts a on a.id = r.target_id
       where r.account_id = $1 and ${isUnexpired('r')}`,
      [accountId, after, limit],
    );
  }

  mutes(accountId: string, after: string, limit: number): Promise<TargetRow[]> {
    return this.page(
      `r.id, a.nickname, a.domain, r.notifications from mutes r join accounts a on a.id = r.target_id
       where r.account_id = $1 and ${isUnexpired('r')}`,
      [accountId, after, limit],
    );
  }

  likes(accountId: string, after: string, limit: number): Promise<LikedRow[]> {
    return this.page(`r.id, s.uri from favourites r join statuses s on s.id = r.status_id where r.account_id = $1`, [
      accountId,
      after,
      limit,
    ]);
  }

  bookmarks(accountId: string, after: string, limit: number): Promise<LikedRow[]> {
    return this.page(`r.id, s.uri from bookmarks r join statuses s on s.id = r.status_id where r.account_id = $1`, [
      accountId,
      after,
      limit,
    ]);
  }

  /** Uploaded files of the account. */
  files(accountId: string, after: string, limit: number): Promise<FileRow[]> {
    return this.page(`r.id, r.file_key from attachments r where r.account_id = $1 and r.file_key is not null`, [
      accountId,
      after,
      limit,
    ]);
  }

  /** Domains blocked by the account. */
  async domains(accountId: string): Promise<string[]> {
    const rows = await this.db.query<{ domain: string }>(
      `select domain from domain_blocks where account_id = $1 order by domain`,
      [accountId],
    );
    return rows.map(({ domain }) => domain);
  }

  private page<Row>(selection: string, [accountId, after, limit]: [string, string, number]): Promise<Row[]> {
    return this.db.query(`select ${selection} and r.id > $2 order by r.id limit $3`, [accountId, after, limit]);
  }
}
