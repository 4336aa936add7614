import { Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  type Page,
  Scopes,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { type BookmarkFolderJson, BookmarkFolderShape } from './bookmark.shape.js';
import { BookmarkBody, BookmarksQuery, FolderChangesBody, NewFolderBody } from './bookmarks.dto.js';
import { BookmarksService } from './bookmarks.service.js';
import { PlainStatusShape, StatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';

/**
 * `/api/v1/bookmarks`: the caller's own, in the order they were added. Only the Link header has the cursors of pages.
 */
@ClientApi('v1', 'bookmarks')
export class BookmarksController {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly view: StatusView,
  ) {}

  @Summary("Lists the caller's bookmarks, the latest first.")
  @Get()
  @Scopes('read:bookmarks')
  @Answers([StatusShape])
  async list(@CurrentAccount() viewerId: string, @Input(BookmarksQuery) query: BookmarksQuery): Promise<Page<Json>> {
    const rows = await this.bookmarks.page(viewerId, query, query.folder_id);
    return this.view.page(rows, query, { viewerId }, ({ cursor }) => cursor);
  }
}

/** `/api/v1/statuses/:id/bookmark` and `unbookmark`. Bookmarks notify no one. */
@ClientApi('v1', 'statuses/:id')
export class StatusBookmarksController {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly view: StatusView,
  ) {}

  @Summary('Bookmarks a post, in a folder on request; it notifies no one.')
  @Post('bookmark')
  @Scopes('write:bookmarks')
  @Answers(PlainStatusShape)
  async bookmark(
    @CurrentAccount() viewerId: string,
    @Param('id') id: string,
    @Input(BookmarkBody) { folder_id: folderId }: BookmarkBody,
  ): Promise<Json> {
    return this.view.one(await this.bookmarks.add(id, viewerId, folderId ?? null), { viewerId });
  }

  @Summary('Removes a bookmark.')
  @Post('unbookmark')
  @Scopes('write:bookmarks')
  @Answers(PlainStatusShape)
  async unbookmark(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.bookmarks.remove(id, viewerId), { viewerId });
  }
}

/** `C/bookmark_folders` (spec §4.2): the caller's own. */
@SvcApi('bookmark_folders')
export class BookmarkFoldersController {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly emoji: EmojiCache,
  ) {}

  @Summary("Lists the caller's bookmark folders.")
  @Get()
  @Scopes('read:bookmarks')
  @Answers([BookmarkFolderShape])
  async list(@CurrentAccount() accountId: string): Promise<BookmarkFolderJson[]> {
    return (await this.bookmarks.folders(accountId)).map((folder) => this.shown(folder));
  }

  @Summary('Creates a bookmark folder.')
  @Post()
  @Scopes('write:bookmarks')
  @Answers(BookmarkFolderShape)
  async create(
    @CurrentAccount() accountId: string,
    @Input(NewFolderBody) { name, emoji }: NewFolderBody,
  ): Promise<BookmarkFolderJson> {
    return this.shown(await this.bookmarks.createFolder(accountId, name, emoji));
  }

  @Summary('Changes the name or the emoji of a bookmark folder.')
  @Patch(':id')
  @Scopes('write:bookmarks')
  @Answers(BookmarkFolderShape)
  async update(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(FolderChangesBody) changes: FolderChangesBody,
  ): Promise<BookmarkFolderJson> {
    return this.shown(await this.bookmarks.updateFolder(accountId, id, changes));
  }

  @Summary('Deletes a bookmark folder; its bookmarks stay.')
  @Delete(':id')
  @Scopes('write:bookmarks')
  @Answers(BookmarkFolderShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<BookmarkFolderJson> {
    return this.shown(await this.bookmarks.removeFolder(accountId, id));
  }

  /** Adds the URL of a custom emoji; other emoji have none. */
  private shown({ id, name, emoji }: Omit<BookmarkFolderJson, 'emoji_url'>): BookmarkFolderJson {
    return { id, name, emoji, emoji_url: emoji && this.emoji.urlOf(emoji.replaceAll(':', '')) };
  }
}
