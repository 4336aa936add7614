import { Get, Param, Post } from '@nestjs/common';
import { AccountShape, AccountView } from '../../accounts/index.js';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  IsReferenceApp,
  type Json,
  NothingShape,
  type Page,
  type PagedObject,
  PageQuery,
  Scopes,
  Summary,
} from '../../common/index.js';
import { type UnreadCountJson, UnreadCountShape } from '../reading/notification.shape.js';
import { NotificationsService } from '../reading/notifications.service.js';
import { GroupedNotificationsShape } from './notification-group.shape.js';
import { NotificationGroupView } from './notification-group.view.js';
import { NotificationGroupsQuery, UnreadGroupsQuery } from './notification-groups.dto.js';
import { OWN_TYPES } from '../model/notification.types.js';
import { type GroupChoice, NotificationGroupsService } from './notification-groups.service.js';

/** `/api/v2/notifications` (reference): the caller's own, in groups. */
@ClientApi('v2', 'notifications')
export class NotificationGroupsController {
  constructor(
    private readonly groups: NotificationGroupsService,
    private readonly notifications: NotificationsService,
    private readonly view: NotificationGroupView,
    private readonly accountView: AccountView,
  ) {}

  @Summary("Lists the caller's notifications in groups, the latest first, each account and post once.")
  @Get()
  @Scopes('read:notifications')
  @Answers(GroupedNotificationsShape, 'application/json', { paged: true })
  async list(
    @CurrentAccount() viewerId: string,
    @Input(NotificationGroupsQuery) query: NotificationGroupsQuery,
    @IsReferenceApp() isReferenceApp: boolean,
  ): Promise<PagedObject> {
    const rows = await this.groups.page(viewerId, query, forApp(query.choice(), isReferenceApp));
    return this.view.page(rows, query, { viewerId }, query.expand_accounts === 'partial_avatars');
  }

  @Summary('Counts the groups of unread notifications, up to a limit.')
  @Get('unread_count')
  @Scopes('read:notifications')
  @Answers(UnreadCountShape)
  async countUnread(
    @CurrentAccount() receiverId: string,
    @Input(UnreadGroupsQuery) query: UnreadGroupsQuery,
    @IsReferenceApp() isReferenceApp: boolean,
  ): Promise<UnreadCountJson> {
    const choice = forApp(query.choice(), isReferenceApp);
    return { count: await this.groups.countUnread(receiverId, choice, query.limit) };
  }

  @Summary('Deletes all notifications of the caller.')
  @Post('clear')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async clear(@CurrentAccount() accountId: string): Promise<object> {
    await this.notifications.clear(accountId);
    return {};
  }

  @Summary('Shows one group of notifications.')
  @Get(':group_key')
  @Scopes('read:notifications')
  @Answers(GroupedNotificationsShape)
  async one(@CurrentAccount() viewerId: string, @Param('group_key') key: string): Promise<Json> {
    return this.view.one(await this.groups.one(viewerId, key), { viewerId });
  }

  @Summary('Lists the accounts behind a group of notifications, the latest first.')
  @Get(':group_key/accounts')
  @Scopes('read:notifications')
  @Answers([AccountShape])
  async accounts(
    @CurrentAccount() viewerId: string,
    @Param('group_key') key: string,
    @Input(PageQuery) query: PageQuery,
  ): Promise<Page<Json>> {
    const page = await this.groups.accounts(viewerId, key, query);
    const accounts = await this.accountView.many(
      page.items.map(({ accountId }) => accountId),
      { viewerId },
    );
    return page.with(page.items.flatMap(({ accountId }) => accounts.get(accountId) ?? []));
  }

  @Summary('Deletes a group of notifications.')
  @Post(':group_key/dismiss')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismiss(@CurrentAccount() accountId: string, @Param('group_key') key: string): Promise<object> {
    await this.groups.dismiss(accountId, key);
    return {};
  }
}

/** Apps of the reference read no types that it does not have (docs/clients.md). */
function forApp(choice: GroupChoice, isReferenceApp: boolean): GroupChoice {
  return isReferenceApp ? { ...choice, excludedTypes: [...choice.excludedTypes, ...OWN_TYPES] } : choice;
}
