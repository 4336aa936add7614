import { Injectable } from '@nestjs/common';
import type { StoredEmoji } from '../../emoji/index.js';
import { type AttachmentRow, attachmentsAmong, attachmentsOf } from '../../media/index.js';
import { columns, Database, sql, UnitOfWork } from '../../platform/index.js';
import type { Draft, EditableRow } from '../compose/draft.js';
import { StatusEdit } from '../model/edit.entity.js';
import { sourceOf, storedSource } from '../model/source.js';
import { StatusFlag } from '../model/status.flags.js';
import { blocks, FOR_FOLLOWERS } from '../../accounts/index.js';
import { Status } from '../model/status.entities.js';

/** A new version of a post. */
export interface Revision extends Pick<
  Draft,
  'contentHtml' | 'contentText' | 'contentType' | 'spoiler' | 'sensitive' | 'language' | 'addressees' | 'tags' | 'poll'
> {
  readonly source: string | null;
  readonly hasMedia: boolean;
  /** For a remote post: values from the author's server. */
  readonly remote?: { readonly emojis: readonly StoredEmoji[]; readonly editedAt: Date };
  /** Whether people are shown that it was edited. */
  readonly isRevision: boolean;
}

/** An earlier version of a post of another server, as that server gives it. */
export interface FormerVersion {
  /** Sanitised. */
  readonly html: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly emojis: readonly StoredEmoji[];
  readonly writtenAt: Date;
}

/** A version of a post. */
export interface RevisionRow {
  readonly authorId: string;
  readonly contentHtml: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly local: boolean;
  /** The custom emoji of a remote post. */
  readonly emojis: readonly StoredEmoji[];
  readonly attachments: readonly AttachmentRow[] | null;
  readonly pollOptions: readonly string[] | null;
  readonly createdAt: string;
  /** The position in the history; null for the current version. */
  readonly at: string | null;
}

/** Maximum number of earlier versions shown: the latest ones. */
const SHOWN = 100;
/** Maximum bytes of their contents together. */
const SHOWN_BYTES = 4 * 1_048_576;

const mediaIds = `array(select m.id::text from attachments m where m.status_id = s.id order by m.position)`;
const descriptions = `array(select m.description from attachments m where m.status_id = s.id order by m.position)`;
const pollOptions = `(select array_agg(o.title order by o.position) from polls p join poll_options o on o.poll_id = p.id
  where p.status_id = s.id)`;

// Takes the lock in a statement of its own: the next statement then reads the rows as they are after the wait.
const lock = sql(
  'edits.lock',
  `select from statuses where id = $1 and author_id = $2 and reblog_of_id is null for update`,
);

const editable = sql<EditableRow>(
  'edits.editable',
  `select s.id, s.author_id as "authorId", s.visibility, s.in_reply_to_account_id as "inReplyToAccountId",
     s.quote_uri as "quotedUri",
     (select q.author_id from statuses q where q.id = s.quote_of_id) as "quotedAuthorId",
       ${sourceOf('s')} as source, ${columns(Status, 's', ['contentHtml', 'contentType', 'spoiler', 'sensitive', 'language', 'local', 'flags', 'editedAt', 'describedAt', 'emojis'])}, ${mediaIds} as "mediaIds",
     ${descriptions} as "mediaDescriptions",
     array(select m.account_id from mentions m where m.status_id = s.id and not m.silent order by m.position) as "mentionedIds",
     array(select h.name from status_hashtags t join hashtags h on h.id = t.hashtag_id where t.status_id = s.id) as tags,
     (select json_build_object('multiple', p.multiple, 'hideTotals', p.hide_totals, 'options', (
        select json_agg(o.title order by o.position) from poll_options o where o.poll_id = p.id))
      from polls p where p.status_id = s.id) as poll
   from statuses s where s.id = $1 and s.author_id = $2 and s.reblog_of_id is null`,
);

const insertRevision = sql(
  'edits.insert_revision',
  `insert into status_edits (status_id, content_html, spoiler, sensitive, emojis, attachment_ids, attachment_descriptions,
     poll_options, created_at)
   select s.id, s.content_html, s.spoiler, s.sensitive, s.emojis, ${mediaIds}::bigint[], coalesce($2::text[], ${descriptions}),
     ${pollOptions}, coalesce(s.edited_at, s.created_at)
   from statuses s where s.id = $1`,
);

const rewrite = sql<{ version: number }>(
  'edits.rewrite',
  `update statuses set content_html = $2, content_text = $3, source = $4, content_type = $5, spoiler = $6, sensitive = $7,
     language = $8, flags = $9, edited_at = case when $12::boolean then coalesce($10, now()) else edited_at end, emojis = coalesce($11, emojis), version = version + 1
   where id = $1 returning version`,
);

const redate = sql<{ version: number }>(
  'edits.redate',
  `update statuses set edited_at = $2, version = version + 1 where id = $1 returning version`,
);

// The version that was shown at a moment.
const redescribe = sql(
  'edits.redescribe',
  `update status_edits e set attachment_descriptions = array(
     select coalesce($3::jsonb ->> m.id::text, m.description)
     from unnest(e.attachment_ids, e.attachment_descriptions) with ordinality as m (id, description, place) order by m.place)
   where e.id = (select id from status_edits where status_id = $1 and created_at < $2 order by id desc limit 1)
     and e.attachment_descriptions is not null`,
);

const describe = sql(
  'edits.describe',
  `update statuses set described_at = $2 where id = $1 and described_at is distinct from $2`,
);

/** An account that an edit lets a post mention. */
export interface NewMention {
  readonly id: string;
  /** Whether it is a group of this server. */
  readonly isGroupHere: boolean;
}

// Other servers have the version that named them: edits and the deletion of a post of this server still go to these accounts.
// Index: the primary key of `mentions`.
const silenceMentions = sql(
  'edits.silence_mentions',
  `update mentions m set silent = true from statuses s, accounts a
   where m.status_id = $1 and not m.silent and m.account_id <> all($2::text[])
     and s.id = $1 and s.local and ${FOR_FOLLOWERS.sql('s')} and a.id = m.account_id and a.domain is not null`,
);

// Index: the primary key of `mentions`.
const dropMentions = sql(
  'edits.drop_mentions',
  `delete from mentions where status_id = $1 and not silent and account_id <> all($2::text[])`,
);

const placeMentions = sql(
  'edits.place_mentions',
  `update mentions m set silent = false, position = named.at
   from unnest($2::text[]) with ordinality as named(id, at) where m.status_id = $1 and m.account_id = named.id`,
);

const addressable = sql<{ id: string }>(
  'edits.addressable',
  `select named.id from unnest($2::text[]) as named(id) where not ${blocks('named.id', '$1')}`,
);

// Accounts that block the author are not addressed.
const addMentions = sql<NewMention>(
  'edits.add_mentions',
  `with added as (
     insert into mentions (status_id, account_id, position)
     select $1, m.account_id, m.position from unnest($3::text[]) with ordinality as m(account_id, position)
     where not ${blocks('m.account_id', '$2')}
     on conflict do nothing returning account_id)
   select a.id, a.domain is null and a.actor_type = 'Group' as "isGroupHere"
   from added join accounts a on a.id = added.account_id`,
);

const dropTags = sql(
  'edits.drop_tags',
  `delete from status_hashtags where status_id = $1
     and hashtag_id not in (select id from hashtags where name = any($2::text[]))`,
);

// Index: status_edits_status.
const history = sql<RevisionRow>(
  'edits.history',
  `select s.author_id as "authorId", s.local, e.content_html as "contentHtml", e.spoiler, e.sensitive, e.emojis,
     ${attachmentsAmong('s.id', 'e.attachment_ids', 'e.attachment_descriptions')} as attachments,
       e.poll_options as "pollOptions", e.created_at as "createdAt", e.id as at
   from statuses s join (
     select *, sum(octet_length(content_html)) over (order by id desc) as bytes from status_edits where status_id = $1
     order by id desc limit ${SHOWN}) e on e.status_id = s.id and e.bytes <= ${SHOWN_BYTES}
   where s.id = $1
   union all
   select ${columns(Status, 's', ['authorId', 'local', 'contentHtml', 'spoiler', 'sensitive', 'emojis'])},
     case when s.flags & ${StatusFlag.media} <> 0 then ${attachmentsOf('s.id')} end,
     case when s.flags & ${StatusFlag.poll} <> 0 then ${pollOptions} end, coalesce(s.edited_at, s.created_at), null
   from statuses s where s.id = $1
   order by at nulls last`,
);

/** Edits posts and reads their history. */
@Injectable()
export class EditRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Locks a post of the author until the unit ends, which serializes its edits. */
  async lock(id: string, authorId: string): Promise<EditableRow | undefined> {
    await this.db.run(lock, [id, authorId]);
    return this.findEditable(id, authorId);
  }

  /** A post of the author, without a lock. */
  findEditable(id: string, authorId: string): Promise<EditableRow | undefined> {
    return this.db.first(editable, [id, authorId]);
  }

  /** Stores the current version in the history; with the descriptions of its files before the open unit changed them. */
  async insertRevision(id: string, descriptions?: readonly string[]): Promise<void> {
    await this.db.run(insertRevision, [id, descriptions ?? null]);
  }

  /** Stores the history that a new post of another server brings along, the oldest version first. */
  async insertFormer(statusId: string, versions: readonly FormerVersion[]): Promise<void> {
    if (versions.length === 0) return;
    const rows = versions.map(({ html, spoiler, sensitive, emojis, writtenAt }) => {
      return {
        statusId,
        contentHtml: html,
        spoiler,
        sensitive,
        emojis: [...emojis],
        attachmentIds: [],
        createdAt: writtenAt,
      };
    });
    await this.uow.manager.insert(StatusEdit, rows);
  }

  /** Returns the new version number. */
  async rewrite(id: string, revision: Revision, flags: number): Promise<number> {
    const { contentHtml, contentText, contentType, spoiler, sensitive, language, remote, isRevision } = revision;
    const emojis = remote ? JSON.stringify(remote.emojis) : null;
    const values = [
      id,
      contentHtml,
      contentText,
      storedSource(revision),
      contentType,
      spoiler,
      sensitive,
      language,
      flags,
      remote?.editedAt ?? null,
      emojis,
      isRevision,
    ];
    return newVersion(await this.db.first(rewrite, values));
  }

  /** Gives the files of the version that was shown at a moment the descriptions that they had, by their ids. */
  async redescribe(statusId: string, at: string, descriptions: Readonly<Record<string, string>>): Promise<void> {
    await this.db.run(redescribe, [statusId, at, JSON.stringify(descriptions)]);
  }

  /** Notes that a post was edited, without a change of its own row; returns the new version number. */
  async redate(id: string, editedAt: string): Promise<number> {
    return newVersion(await this.db.first(redate, [id, editedAt]));
  }

  /** Notes when the server of a remote post last changed it. */
  async describe(id: string, at: Date): Promise<void> {
    await this.db.run(describe, [id, at]);
  }

  /** Those of the accounts that do not block the author. */
  async listAddressable(authorId: string, named: readonly string[]): Promise<string[]> {
    return (await this.db.rows(addressable, [authorId, named])).map(({ id }) => id);
  }

  /** Replaces the mentions; accounts of other servers that are named no more stay silent addressees. Returns the newly mentioned accounts. */
  async replaceMentions(id: string, authorId: string, named: readonly string[]): Promise<NewMention[]> {
    await this.db.run(silenceMentions, [id, named]);
    await this.db.run(dropMentions, [id, named]);
    await this.db.run(placeMentions, [id, named]);
    return this.db.rows(addMentions, [id, authorId, named]);
  }

  /** Removes all tags of the post but these. */
  async dropTags(id: string, names: readonly string[]): Promise<void> {
    await this.db.run(dropTags, [id, names]);
  }

  /** The versions of a post, the oldest first, up to the current one. */
  history(id: string): Promise<RevisionRow[]> {
    return this.db.rows(history, [id]);
  }
}

function newVersion(row: { readonly version: number } | undefined): number {
  if (!row) throw new Error('The edited post is gone');
  return row.version;
}
