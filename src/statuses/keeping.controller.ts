import { Param, Post } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, DurationSeconds, Input, type Json, Scopes } from '../common/index.js';
import { BookmarkInput } from './bookmarks/bookmarks.dto.js';
import { BookmarksService } from './bookmarks/bookmarks.service.js';
import { PinsService } from './pins/pins.service.js';
import { PostShape } from './rendering/status.shape.js';
import { StatusView } from './rendering/status.view.js';
import { ThreadMutesService } from './interactions/thread-mutes.service.js';

class MuteInput {
  @DurationSeconds() expires_in = 0;
}

/** `/api/v1/statuses/:id/…`: what people do with a status for themselves, without anybody being told. */
@ClientApi('v1', 'statuses/:id')
export class KeepingController {
  constructor(
    private readonly bookmarks: BookmarksService,
    private readonly pins: PinsService,
    private readonly mutes: ThreadMutesService,
    private readonly view: StatusView,
  ) {}

  @Post('bookmark')
  @Scopes('write:bookmarks')
  @Answers(PostShape)
  async bookmark(
    @CurrentAccount() viewerId: string,
    @Param('id') id: string,
    @Input(BookmarkInput) { folder_id: folderId }: BookmarkInput,
  ): Promise<Json> {
    return this.view.one(await this.bookmarks.keep(id, viewerId, folderId ?? null), { viewerId });
  }

  @Post('unbookmark')
  @Scopes('write:bookmarks')
  @Answers(PostShape)
  async unbookmark(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.bookmarks.remove(id, viewerId), { viewerId });
  }

  @Post('pin')
  @Scopes('write:accounts')
  @Answers(PostShape)
  async pin(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.pins.pin(id, viewerId), { viewerId });
  }

  @Post('unpin')
  @Scopes('write:accounts')
  @Answers(PostShape)
  async unpin(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.pins.unpin(id, viewerId), { viewerId });
  }

  @Post('mute')
  @Scopes('write:mutes')
  @Answers(PostShape)
  async mute(
    @CurrentAccount() viewerId: string,
    @Param('id') id: string,
    @Input(MuteInput) { expires_in: expiresIn }: MuteInput,
  ): Promise<Json> {
    return this.view.one(await this.mutes.mute(id, viewerId, expiresIn), { viewerId });
  }

  @Post('unmute')
  @Scopes('write:mutes')
  @Answers(PostShape)
  async unmute(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.mutes.unmute(id, viewerId), { viewerId });
  }
}
