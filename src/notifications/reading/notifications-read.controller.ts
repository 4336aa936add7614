import { Post } from '@nestjs/common';
import { Answers, CurrentAccount, Input, Invalid, type Json, Scopes, Summary, SvcApi } from '../../common/index.js';
import { NotificationView } from './notification.view.js';
import { ReadNotificationsBody } from './notifications.dto.js';
import { NotificationsService } from './notifications.service.js';
import { ReadShape } from './notification.shape.js';

/** `C/notifications/read` (spec §4.2). */
@SvcApi('notifications')
export class ReadingController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly view: NotificationView,
  ) {}

  @Summary('Marks one notification as read, or all up to `max_id`, and returns them.')
  @Post('read')
  @Scopes('write:notifications')
  @Answers(ReadShape)
  async read(
    @CurrentAccount() viewerId: string,
    @Input(ReadNotificationsBody) { id, max_id: maxId }: ReadNotificationsBody,
  ): Promise<Json | Json[]> {
    const context = { viewerId };
    if (id !== undefined && maxId === undefined) {
      await this.notifications.read(viewerId, id);
      return this.view.one(id, context);
    }
    if (id === undefined && maxId !== undefined) {
      return this.view.many(await this.notifications.readUpTo(viewerId, maxId), context, true);
    }
    throw new Invalid('Give either id or max_id');
  }
}
