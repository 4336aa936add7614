import { Put } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { Answers, CurrentAccount, Input, Scopes, SuccessShape, Summary, SvcApi } from '../../common/index.js';
import { NotificationSettingsBody } from './notifications.dto.js';

/** `/api/svc/notification_settings` (spec §4.2): which notifications the caller wants, and what a push reveals. */
@SvcApi('notification_settings')
export class NotificationSettingsController {
  constructor(private readonly users: UsersService) {}

  @Summary('Changes whose notifications the caller wants, and what a push reveals.')
  @Put()
  @Scopes('write:accounts')
  @Answers(SuccessShape)
  async update(
    @CurrentAccount() accountId: string,
    @Input(NotificationSettingsBody) input: NotificationSettingsBody,
  ): Promise<object> {
    await this.users.changeNotificationSettings(accountId, input);
    return { status: 'success' };
  }
}
