import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import {
  Answers,
  BooleanLike,
  ClientApi,
  CurrentAccount,
  Describe,
  Input,
  Json,
  NothingShape,
  Scopes,
  Summary,
} from '../../common/index.js';
import { AnnouncementView } from './announcement.view.js';
import { AnnouncementsService } from './announcements.service.js';
import { AnnouncementShape } from './announcement.shape.js';

class AnnouncementsQuery {
  @Describe('Whether to include announcements that the caller has read.')
  @BooleanLike()
  with_dismissed = true;
}

/** `/api/v1/announcements` (reference): announcements of the server's staff. */
@ClientApi('v1', 'announcements')
export class AnnouncementsController {
  constructor(
    private readonly announcements: AnnouncementsService,
    private readonly view: AnnouncementView,
  ) {}

  @Summary('Lists the current announcements of the staff.')
  @Get()
  @Scopes('read:accounts')
  @Answers([AnnouncementShape])
  async list(@CurrentAccount() accountId: string, @Input(AnnouncementsQuery) input: AnnouncementsQuery) {
    const rows = await this.announcements.shownTo(accountId, { withDismissed: input.with_dismissed });
    return Json.array(await this.view.many(rows, accountId));
  }

  @Summary('Marks an announcement as read.')
  @Post(':id/dismiss')
  @Scopes('write:accounts')
  @Answers(NothingShape)
  async dismiss(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.announcements.dismiss(id, accountId);
    return {};
  }

  @Summary('Reacts to an announcement with an emoji.')
  @Put(':id/reactions/:name')
  @Scopes('write:favourites')
  @Answers(NothingShape)
  async react(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<object> {
    await this.announcements.react(id, name, accountId);
    return {};
  }

  @Summary("Removes the caller's reaction to an announcement.")
  @Delete(':id/reactions/:name')
  @Scopes('write:favourites')
  @Answers(NothingShape)
  async unreact(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Param('name') name: string,
  ): Promise<object> {
    await this.announcements.unreact(id, name, accountId);
    return {};
  }
}
