import { Injectable } from '@nestjs/common';
import {
  isBlank,
  NotFound,
  type PageQuery,
  phrase,
  translateForeignKeyViolation,
  translateUniqueViolation,
  Unprocessable,
} from '../../common/index.js';
import { EmojiCache, spokenReaction } from '../../emoji/index.js';
import {
  BIGINT_LAST,
  bigintKeyset,
  FlakeIds,
  newestFirst,
  OwnerLocks,
  UnitOfWork,
  walkDown,
} from '../../platform/index.js';
import { BookmarkRepository, type BookmarkRow, type FolderRow, type FolderUpdate } from './bookmark.repository.js';
import { StatusesService } from '../core/statuses.service.js';

/** Maximum number of folders of an account: the list of folders has no pages. */
const MOST_FOLDERS = 100;
const NAME_TAKEN = 'The name is taken';

/** Manages bookmarks and their folders (spec §2.6, §4.3). Only their owner sees them. */
@Injectable()
export class BookmarksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly ids: FlakeIds,
    private readonly statuses: StatusesService,
    private readonly repository: BookmarkRepository,
    private readonly emoji: EmojiCache,
  ) {}

  /**
   * Bookmarks a post in a folder or in none; moves an existing bookmark. For a boost, bookmarks the boosted post.
   * Returns the id of the post.
   * @throws NotFound unless the account may see the status and owns the folder
   */
  async add(id: string, accountId: string, folderId: string | null): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    await translateForeignKeyViolation(this.repository.add(accountId, status.id, folderId));
    return status.id;
  }

  /** Returns the id of the post. */
  async remove(id: string, accountId: string): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    await this.repository.remove(accountId, status.id);
    return status.id;
  }

  /** The account's bookmarks, the latest first; of one folder if its id is given. */
  async page(accountId: string, query: PageQuery, folderId: string | undefined): Promise<BookmarkRow[]> {
    const keyset = bigintKeyset(query);
    return newestFirst(await this.repository.page(accountId, keyset, query.offset, folderId), keyset);
  }

  /** The account's folders, the oldest first. */
  folders(accountId: string): Promise<FolderRow[]> {
    return this.repository.folders(accountId);
  }

  /** @throws Unprocessable for a taken name, for an invalid emoji, and when there are too many folders */
  async createFolder(accountId: string, name: string, emoji: string | null): Promise<FolderRow> {
    const folder = { id: this.ids.next(), name: name.trim(), emoji: this.emojiOf(emoji) };
    return this.uow.run(async () => {
      await this.locks.lock('folders', accountId);
      const made = await this.repository.insertFolder(accountId, folder, MOST_FOLDERS);
      if (made) return made;
      const isTaken = (await this.repository.folders(accountId)).some(({ name: other }) => other === folder.name);
      throw new Unprocessable(isTaken ? NAME_TAKEN : phrase('There are {max} folders already', { max: MOST_FOLDERS }));
    });
  }

  /** @throws NotFound unless the account owns the folder, Unprocessable as {@link createFolder} */
  async updateFolder(accountId: string, id: string, { name, emoji }: FolderUpdate): Promise<FolderRow> {
    if (name !== undefined && isBlank(name)) throw new Unprocessable('name must not be empty');
    const changes = { name: name?.trim(), emoji: emoji && this.emojiOf(emoji) };
    return found(await unlessTaken(this.repository.updateFolder(accountId, id, changes)));
  }

  /**
   * Removes a folder and returns it. Its bookmarks stay, in no folder.
   * @throws NotFound unless the account owns the folder
   */
  async removeFolder(accountId: string, id: string): Promise<FolderRow> {
    // Not in one transaction: a folder holds any number of bookmarks.
    await walkDown(BIGINT_LAST, (upTo) => this.repository.emptyFolder(accountId, id, upTo));
    return found(await this.repository.removeFolder(accountId, id));
  }

  private emojiOf(text: string | null): string | null {
    if (text === null) return null;
    const emoji = this.emoji.reactionName(text);
    if (!emoji?.isOpen) throw new Unprocessable('emoji must be one emoji');
    return spokenReaction(emoji.name);
  }
}

function found(folder: FolderRow | undefined): FolderRow {
  if (!folder) throw new NotFound();
  return folder;
}

function unlessTaken<T>(write: Promise<T>): Promise<T> {
  return translateUniqueViolation(write, () => new Unprocessable(NAME_TAKEN));
}
