import { Delete, Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  Invalid,
  type Json,
  NothingShape,
  type Page,
  Scopes,
  Summary,
} from '../../common/index.js';
import { NotificationView } from './notification.view.js';
import { NotificationIdBody, NotificationIdsQuery, NotificationsQuery, UnreadCountQuery } from './notifications.dto.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationShape, type UnreadCountJson, UnreadCountShape } from './notification.shape.js';

/** `/api/v1/notifications` (spec §4.3): the caller's own. Literal paths are registered before those with parameters. */
@ClientApi('v1', 'notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly view: NotificationView,
  ) {}

  @Summary("Lists the caller's notifications, the latest first.")
  @Get()
  @Scopes('read:notifications')
  @Answers([NotificationShape])
  async list(
    @CurrentAccount() viewerId: string,
    @Input(NotificationsQuery) query: NotificationsQuery,
  ): Promise<Page<Json>> {
    const choice = query.choice();
    return this.view.page(query, choice, { viewerId, withMuted: query.with_muted }, () =>
      this.notifications.page(viewerId, query, choice),
    );
  }

  @Summary('Counts the unread notifications, up to a limit.')
  @Get('unread_count')
  @Scopes('read:notifications')
  @Answers(UnreadCountShape)
  async countUnread(
    @CurrentAccount() receiverId: string,
    @Input(UnreadCountQuery) query: UnreadCountQuery,
  ): Promise<UnreadCountJson> {
    return { count: await this.notifications.countUnread(receiverId, query.choice(), query.limit) };
  }

  @Summary('Shows one notification.')
  @Get(':id')
  @Scopes('read:notifications')
  @Answers(NotificationShape)
  one(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(id, { viewerId });
  }

  @Summary('Deletes all notifications of the caller.')
  @Post('clear')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async clear(@CurrentAccount() accountId: string): Promise<object> {
    await this.notifications.clear(accountId);
    return {};
  }

  @Summary('Deletes one notification, named in the body.', { deprecated: true })
  @Post('dismiss') // the older form (reference)
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismissNamed(
    @CurrentAccount() accountId: string,
    @Input(NotificationIdBody) { id }: NotificationIdBody,
  ): Promise<object> {
    if (id === undefined) throw new Invalid('id is missing');
    return this.dismiss(accountId, id);
  }

  @Summary('Deletes one notification.')
  @Post(':id/dismiss')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismiss(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.notifications.dismiss(accountId, id);
    return {};
  }

  @Summary('Deletes several notifications.')
  @Delete('destroy_multiple')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismissMany(
    @CurrentAccount() accountId: string,
    @Input(NotificationIdsQuery) { ids = [] }: NotificationIdsQuery,
  ): Promise<object> {
    if (ids.length === 0) throw new Invalid('ids is missing');
    await this.notifications.dismissMany(accountId, ids);
    return {};
  }
}
