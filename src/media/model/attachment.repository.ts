import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { AttachmentRow, AttachmentType } from './attachment.rows.js';
import { ATTACHMENT_COLUMNS, FREE, USABLE } from './attachment.sql.js';

/** A new upload. */
export interface NewAttachment {
  readonly accountId: string;
  readonly type: AttachmentType;
  readonly mimeType: string;
  readonly fileKey: string;
  readonly thumbnailKey: string | null;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
  readonly blurhash: string | null;
  readonly description: string;
}

/** A file of a remote post; it stays on its server. */
export interface RemoteAttachment {
  readonly type: AttachmentType;
  readonly mimeType: string;
  readonly url: string;
  /** A picture that stands for it. */
  readonly previewUrl: string | null;
  readonly description: string;
  readonly blurhash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
}

/** The file keys of a removed attachment. */
interface KeysRow {
  readonly fileKey: string | null;
  readonly thumbnailKey: string | null;
}

/** How many attachments were removed, and the keys of their files. */
export interface RemovedFiles {
  readonly removed: number;
  readonly keys: string[];
}

/** An attachment that has just been described. */
export interface DescribedRow extends AttachmentRow {
  readonly statusId: string | null;
  /** The descriptions of all files of its post until then, by their ids. */
  readonly former: Readonly<Record<string, string>>;
  readonly at: string;
  readonly isChanged: boolean;
}

const KEYS = 'file_key as "fileKey", thumbnail_key as "thumbnailKey"';

const insert = sql<AttachmentRow>(
  'media.insert',
  `insert into attachments as m (account_id, type, mime_type, file_key, thumbnail_key, size, width, height, duration, blurhash,
     description)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${ATTACHMENT_COLUMNS}`,
);

const insertRemote = sql(
  'media.insert_remote',
  `insert into attachments (account_id, status_id, chat_message_id, position, type, mime_type, remote_url, remote_preview_url, size, width, height, duration,
     blurhash, description)
   select $2, $1, $4::text, f.position, f.file->>'type', f.file->>'mimeType', f.file->>'url', f.file->>'previewUrl', 0, (f.file->>'width')::int,
     (f.file->>'height')::int, (f.file->>'duration')::float8, f.file->>'blurhash', f.file->>'description'
   from jsonb_array_elements($3::jsonb) with ordinality as f(file, position)`,
);

const own = sql<AttachmentRow>(
  'media.own',
  `select ${ATTACHMENT_COLUMNS} from attachments m where m.id = any($1::bigint[]) and m.account_id = $2`,
);

const describe = sql<DescribedRow>(
  'media.describe',
  `with former as materialized (
     select id, description from attachments where id = $1 and account_id = $2 for update)
   update attachments m set description = $3 from former where m.id = former.id
   returning ${ATTACHMENT_COLUMNS}, m.status_id as "statusId", now() as at, former.description <> $3 as "isChanged",
     jsonb_build_object(m.id::text, former.description) || coalesce((
       select jsonb_object_agg(o.id::text, o.description) from attachments o where o.status_id = m.status_id and o.id <> m.id), '{}') as former`,
);

const show = sql<Pick<KeysRow, 'thumbnailKey'>>(
  'media.show',
  `with shown as materialized (
     select m.id, m.thumbnail_key from attachments m where m.id = $1 and m.account_id = $2 and ${FREE} for update)
   update attachments m set thumbnail_key = $3, blurhash = $4 from shown where m.id = shown.id
   returning shown.thumbnail_key as "thumbnailKey"`,
);

const describeAll = sql(
  'media.describe_all',
  `update attachments m set description = d.description from unnest($2::bigint[], $3::text[]) as d(id, description)
   where m.id = d.id and m.account_id = $1 and m.description <> d.description and (not $4::boolean or ${FREE})`,
);

const sizes = sql<{ id: string; size: string }>(
  'media.sizes',
  `select id::text as id, size::text as size from attachments where id = any($1::bigint[])`,
);

const unattached = sql<AttachmentRow>(
  'media.unattached',
  `select ${ATTACHMENT_COLUMNS} from unnest($2::bigint[]) with ordinality as wanted(id, position)
   join attachments m on m.id = wanted.id
   where m.account_id = $1 and ${USABLE} order by wanted.position`,
);

// In the order of the ids, so that two posts with the same files do not deadlock.
const attach = sql(
  'media.attach',
  `with wanted as materialized (
     select m.id, w.position from unnest($3::bigint[]) with ordinality as w(id, position)
     join attachments m on m.id = w.id
     where m.account_id = $2 and ${USABLE}
     order by m.id for update of m)
   update attachments m set status_id = $1, position = wanted.position from wanted
   where m.id = wanted.id and ${FREE}`,
);

// In the order of the ids, as above.
const reserve = sql(
  'media.reserve',
  `with wanted as materialized (
     select m.id, w.position from unnest($3::bigint[]) with ordinality as w(id, position)
     join attachments m on m.id = w.id
     where m.account_id = $2 and ${USABLE}
     order by m.id for update of m)
   update attachments m set scheduled_id = $1, position = wanted.position from wanted
   where m.id = wanted.id and ${FREE}`,
);

const send = sql(
  'media.send',
  `update attachments m set chat_message_id = $1
   where m.id = $3 and m.account_id = $2 and ${USABLE}`,
);

const removeSent = sql<KeysRow>(
  'media.remove_sent',
  `delete from attachments where chat_message_id = $1 returning ${KEYS}`,
);

// Index: attachments_status, attachments_former_status.
const removeOf = sql<KeysRow>(
  'media.remove_of',
  `delete from attachments m where m.status_id = any($1::text[]) or (m.former_status_id = any($1::text[]) and ${FREE})
   returning ${KEYS}`,
);

// The sweep counts its hours from the release. An edit that kept an attachment has left it to the earlier versions as well.
const release = sql(
  'media.release',
  `update attachments set status_id = null, former_status_id = null, created_at = now() where status_id = $1`,
);

const renew = sql(
  'media.renew',
  `update attachments m set created_at = now() where m.id = any($1::bigint[]) and ${FREE}`,
);

const setAside = sql(
  'media.set_aside',
  `update attachments set former_status_id = status_id, status_id = null where status_id = $1`,
);

const deleteFree = sql('media.delete_free', `delete from attachments m where id = $1 and ${FREE}`);

const removeOwn = sql<{ removed: boolean; fileKey: string | null; thumbnailKey: string | null }>(
  'media.remove_own',
  `with own as materialized (
     select m.id, ${USABLE} and m.former_status_id is null as is_unused
     from attachments m where m.id = $1 and m.account_id = $2 for update),
   gone as (delete from attachments where id in (select id from own where is_unused) returning ${KEYS})
   select own.is_unused as removed, gone."fileKey", gone."thumbnailKey" from own left join gone on true`,
);

// Index: attachments_unattached. Skips locked rows, which a post is about to take. The array fixes the ids.
const removeUnattached = sql<KeysRow>(
  'media.remove_unattached',
  `delete from attachments where id = any(array(
     select id from attachments m where ${USABLE} and created_at < now() - $1 * interval '1 hour'
       and former_status_id is null
     order by created_at limit $2 for update skip locked))
   returning ${KEYS}`,
);

// Index: attachments_account.
const removeFreeOf = sql<KeysRow>(
  'media.remove_free_of',
  `delete from attachments where id = any(array(
     select id from attachments m where m.account_id = $1 and ${FREE} order by id limit $2 for update skip locked))
   returning ${KEYS}`,
);

// Index: attachments_file, attachments_thumbnail.
const unusedKeys = sql<{ key: string }>(
  'media.unused_keys',
  `select key from unnest($1::text[]) given (key)
   where not exists (select from attachments where file_key = key) and not exists (select from attachments where thumbnail_key = key)`,
);

/** All SQL on `attachments`. Ids are checked texts of `bigint`. */
@Injectable()
export class AttachmentRepository {
  constructor(private readonly db: Database) {}

  async insert(attachment: NewAttachment): Promise<AttachmentRow> {
    const [row] = await this.db.rows(insert, [
      attachment.accountId,
      attachment.type,
      attachment.mimeType,
      attachment.fileKey,
      attachment.thumbnailKey,
      attachment.size,
      attachment.width,
      attachment.height,
      attachment.duration,
      attachment.blurhash,
      attachment.description,
    ]);
    if (!row) throw new Error('An insert without conflict rule answered no row');
    return row;
  }

  async insertRemote(
    { statusId, messageId }: { readonly statusId?: string; readonly messageId?: string },
    accountId: string,
    files: readonly RemoteAttachment[],
  ): Promise<void> {
    await this.db.run(insertRemote, [statusId ?? null, accountId, JSON.stringify(files), messageId ?? null]);
  }

  /** Uploads of the account, by their ids, unordered. */
  own(ids: readonly string[], accountId: string): Promise<AttachmentRow[]> {
    return this.db.rows(own, [ids, accountId]);
  }

  /** Changes the description of an account's upload; returns also the post that has it. */
  describe(id: string, accountId: string, description: string): Promise<DescribedRow | undefined> {
    return this.db.first(describe, [id, accountId, description]);
  }

  /**
   * Sets the cover of an account's unposted upload; returns the key of the former one, undefined when there is
   * no such upload.
   */
  show(
    id: string,
    accountId: string,
    { fileKey: key, blurhash }: Pick<AttachmentRow, 'fileKey' | 'blurhash'>,
  ): Promise<Pick<KeysRow, 'thumbnailKey'> | undefined> {
    return this.db.first(show, [id, accountId, key, blurhash]);
  }

  /** Changes several descriptions, or only those of files that are not in use; returns how many changed. */
  describeAll(accountId: string, descriptions: ReadonlyMap<string, string>, onlyFree = false): Promise<number> {
    return this.db.run(describeAll, [accountId, [...descriptions.keys()], [...descriptions.values()], onlyFree]);
  }

  /** The sizes of the files in bytes; 0 when unknown. */
  sizes(ids: readonly string[]): Promise<{ id: string; size: string }[]> {
    return this.db.rows(sizes, [ids]);
  }

  /** The account's unposted uploads, in the order of the ids. */
  unattached(accountId: string, ids: readonly string[]): Promise<AttachmentRow[]> {
    return this.db.rows(unattached, [accountId, ids]);
  }

  /** Attaches the account's unposted uploads to a post, in the order of the ids; returns how many. */
  attach(statusId: string, accountId: string, ids: readonly string[]): Promise<number> {
    return this.db.run(attach, [statusId, accountId, ids]);
  }

  /** Like {@link attach}, for a scheduled post. */
  reserve(scheduledId: string, accountId: string, ids: readonly string[]): Promise<number> {
    return this.db.run(reserve, [scheduledId, accountId, ids]);
  }

  /** Attaches an unposted upload of the account to a chat message; false when there is none. */
  async send(messageId: string, accountId: string, id: string): Promise<boolean> {
    return (await this.db.run(send, [messageId, accountId, id])) === 1;
  }

  /** Removes the attachment of a chat message; returns the keys of its files. */
  async removeSent(messageId: string): Promise<string[]> {
    return keysOf(await this.db.rows(removeSent, [messageId]));
  }

  /** Returns the attachments of a post to their uploader: they are not removed with it. */
  async release(statusId: string): Promise<void> {
    await this.db.run(release, [statusId]);
  }

  /** Has the sweep count the hours of unposted uploads from now. */
  async renew(ids: readonly string[]): Promise<void> {
    await this.db.run(renew, [ids]);
  }

  /** Takes the attachments from a post that is edited: its earlier versions show them, unless they are used again. */
  async setAside(statusId: string): Promise<void> {
    await this.db.run(setAside, [statusId]);
  }

  /** Removes the attachments of posts, and those that their earlier versions show; returns the keys of their files. */
  async removeOf(statusIds: readonly string[]): Promise<string[]> {
    return keysOf(await this.db.rows(removeOf, [statusIds]));
  }

  /** Removes the row of an unposted upload, so that the sweep leaves its file to the new owner. */
  async deleteFree(id: string): Promise<boolean> {
    return (await this.db.run(deleteFree, [id])) === 1;
  }

  /** Removes some uploads that are older than so many hours; returns how many, and the keys of their files. */
  async removeUnattached(hours: number, count: number): Promise<RemovedFiles> {
    const rows = await this.db.rows(removeUnattached, [hours, count]);
    return { removed: rows.length, keys: keysOf(rows) };
  }

  /** Removes an upload of the account unless it is in use (`removed`); undefined when there is none. */
  async removeOwn(id: string, accountId: string): Promise<{ removed: boolean; keys: string[] } | undefined> {
    const row = await this.db.first(removeOwn, [id, accountId]);
    return row && { removed: row.removed, keys: keysOf([row]) };
  }

  /** The keys that no attachment has. */
  async unusedKeys(keys: readonly string[]): Promise<string[]> {
    return (await this.db.rows(unusedKeys, [keys])).map(({ key }) => key);
  }

  /** Removes some of an account's unposted uploads; returns how many, and the keys of their files. */
  async removeFreeOf(accountId: string, count: number): Promise<RemovedFiles> {
    const rows = await this.db.rows(removeFreeOf, [accountId, count]);
    return { removed: rows.length, keys: keysOf(rows) };
  }
}

function keysOf(rows: readonly KeysRow[]): string[] {
  return rows.flatMap(({ fileKey, thumbnailKey }) => [fileKey, thumbnailKey]).filter((key) => key !== null);
}
