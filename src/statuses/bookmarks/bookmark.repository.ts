import { Injectable } from '@nestjs/common';
import { Database, type Keyset, SLICE, sql, type Statement, UnitOfWork } from '../../platform/index.js';
import { Bookmark, BookmarkFolder } from '../model/bookmark.entities.js';
import { PAGE_KEYS, type PageRow, selectPage } from '../model/page.sql.js';
import { maySee } from '../model/visibility.js';

/** An entry of the owner's list of bookmarks, paged by `cursor`. */
export type BookmarkRow = PageRow & { readonly cursor: string };

export type FolderRow = Readonly<Pick<BookmarkFolder, keyof typeof FOLDER>>;

/** Changes of a folder: undefined keeps the value, null removes the emoji. */
export interface FolderUpdate {
  readonly name?: string | undefined;
  readonly emoji?: string | null | undefined;
}

// $1 owner, $2 below, $3 above, $4 limit, $5 offset, $6 folder or null. Index: bookmarks_account, bookmarks_folder.
function page(direction: Keyset['direction'], order: 'asc' | 'desc', folder: 'all' | 'one'): Statement<BookmarkRow> {
  return sql<BookmarkRow>(
    `bookmarks.${folder}.${direction}`,
    selectPage(
      '$1',
      `select b.id as cursor, post.id as feed_id, post.author_id as entry_author_id, ${PAGE_KEYS}
       from bookmarks b join statuses post on post.id = b.status_id
       where b.account_id = $1 and b.id < $2 and b.id > $3 and ${maySee('post')} ${folder === 'one' ? 'and b.folder_id = $6' : ''}
       order by b.id ${order} limit $4 offset $5`,
      `page.cursor ${order}`,
      ['cursor'],
    ),
  );
}

const pages = {
  all: { older: page('older', 'desc', 'all'), newer: page('newer', 'asc', 'all') },
  one: { older: page('older', 'desc', 'one'), newer: page('newer', 'asc', 'one') },
};

const FOLDER = { id: true, name: true, emoji: true } as const;
const FOLDER_COLUMNS = Object.keys(FOLDER).join(', ');

const insertFolder = sql<FolderRow>(
  'bookmark_folders.insert',
  `insert into bookmark_folders (id, account_id, name, emoji)
   select $2, $1, $3, $4 where (select count(*) from bookmark_folders where account_id = $1) < $5
   on conflict (account_id, name) do nothing returning ${FOLDER_COLUMNS}`,
);

const updateFolder = sql<FolderRow>(
  'bookmark_folders.update',
  `update bookmark_folders set name = coalesce($3, name), emoji = case when $4::boolean then $5 else emoji end
   where account_id = $1 and id = $2 returning ${FOLDER_COLUMNS}`,
);

// Locks the rows in their order, so that two requests cannot deadlock. Index: bookmarks_folder.
const emptyFolder = sql<Pick<Bookmark, 'id'>>(
  'bookmarks.empty_folder',
  `with slice as materialized (
     select id from bookmarks where account_id = $1 and folder_id = $2 and id <= $3
     order by id desc limit ${SLICE} for no key update),
   freed as (update bookmarks b set folder_id = null from slice where b.id = slice.id returning b.id)
   select id from freed order by id desc`,
);

/** All SQL on bookmarks and their folders. Every statement checks the owner. */
@Injectable()
export class BookmarkRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Adds a bookmark, or moves an existing one, to a folder or to none. The foreign key ensures that the account owns the
   * folder.
   */
  async add(accountId: string, statusId: string, folderId: string | null): Promise<void> {
    await this.uow.manager.upsert(Bookmark, { accountId, statusId, folderId }, ['accountId', 'statusId']);
  }

  async remove(accountId: string, statusId: string): Promise<void> {
    await this.uow.manager.delete(Bookmark, { accountId, statusId });
  }

  /** Lists bookmarks in the direction of the keyset; of one folder if its id is given. */
  page(accountId: string, keyset: Keyset, offset: number, folderId: string | undefined): Promise<BookmarkRow[]> {
    const { direction, below, above, limit } = keyset;
    const values = [accountId, below, above, limit, offset];
    return folderId === undefined
      ? this.db.rows(pages.all[direction], values)
      : this.db.rows(pages.one[direction], [...values, folderId]);
  }

  /** Lists the oldest folder first. */
  folders(accountId: string): Promise<FolderRow[]> {
    return this.uow.manager.find(BookmarkFolder, { select: FOLDER, where: { accountId }, order: { id: 'ASC' } });
  }

  /** Returns undefined when the account has a folder of this name, or `most` folders. */
  insertFolder(accountId: string, { id, name, emoji }: FolderRow, most: number): Promise<FolderRow | undefined> {
    return this.db.first(insertFolder, [accountId, id, name, emoji, most]);
  }

  /** Returns undefined when the account has no such folder. Fails with a unique violation if the name is taken. */
  updateFolder(accountId: string, id: string, { name, emoji }: FolderUpdate): Promise<FolderRow | undefined> {
    return this.db.first(updateFolder, [accountId, id, name, emoji !== undefined, emoji]);
  }

  /** Takes a slice of the bookmarks up to an id out of a folder; returns their ids, newest first. */
  async emptyFolder(accountId: string, folderId: string, upTo: string): Promise<string[]> {
    return (await this.db.rows(emptyFolder, [accountId, folderId, upTo])).map(({ id }) => id);
  }

  async removeFolder(accountId: string, id: string): Promise<FolderRow | undefined> {
    const removal = this.uow.manager.createQueryBuilder().delete().from(BookmarkFolder).where({ accountId, id });
    return ((await removal.returning(Object.keys(FOLDER)).execute()).raw as FolderRow[])[0];
  }
}
