import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import { IS_ACTIVE } from '../model/account.sql.js';

/** An account that has a file. */
export interface FileOwnerRow {
  readonly id: string;
  readonly active: boolean;
  readonly local: boolean;
  readonly tags: readonly string[];
}

/** The accounts with a stored file `$1`, or one of another server at `$2`, or with one of these pictures, `$3`. */
const OWNERS = `(
  select account_id from attachments where file_key = $1
  union all select account_id from attachments where thumbnail_key = $1
  union all select account_id from attachments where remote_url = $2
  union all select account_id from attachments where remote_preview_url = $2
  ${['avatar_url', 'header_url', 'background_url']
    .map((column) => `union all select a.id from unnest($3::text[]) picture join accounts a on a.${column} = picture`)
    .join('\n  ')}) owner(account_id)`;

const owner = (condition: string) =>
  `select a.id, ${IS_ACTIVE} as active, a.domain is null as local, a.tags
   from ${OWNERS} join accounts a on a.id = owner.account_id left join users u on u.account_id = a.id
   where ${condition} limit 1`;

// Many accounts may have a file, such as the default avatar of a server: each part ends with the first it finds. Index:
// attachments_file, attachments_thumbnail, attachments_remote, attachments_remote_preview, accounts_avatar, accounts_header,
// accounts_background.
const find = sql<FileOwnerRow>(
  'file_owners.find',
  `with active as materialized (${owner(IS_ACTIVE)}),
   hidden as materialized (${owner('not exists (select from active)')})
   select * from active union all select * from hidden`,
);

/** Finds the accounts that have a file. */
@Injectable()
export class FileOwnerRepository {
  constructor(private readonly db: Database) {}

  /**
   * An account that has the file: a visible one where there is one.
   * @param file the key of a stored file, or the URL of one of another server
   * @param pictures the file as profiles have it, in any spelling
   */
  find(
    { key, url }: { readonly key?: string; readonly url?: string },
    pictures: readonly string[],
  ): Promise<FileOwnerRow | undefined> {
    return this.db.first(find, [key ?? null, url ?? null, pictures]);
  }
}
