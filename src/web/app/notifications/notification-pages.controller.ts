import { Get, Param, Post } from '@nestjs/common';
import { type AccountJson, AccountView, FollowsService, RelatedAccountsService } from '../../../accounts/index.js';
import { Input, OptionalId, type PageAnswer, PageQuery, RootApi, SignedIn } from '../../../common/index.js';
import { NotificationGroupsService, NotificationsService } from '../../../notifications/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { shownPerson } from '../../parts/shown.js';
import { objectOf } from '../../parts/rendered.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { AppNotifications, NotificationPageQuery } from './app-notifications.js';
import { followRequestsPage } from './follow-requests.page.js';
import { clearPage, NOTIFICATIONS_PATH, notificationsPage } from './notifications.page.js';

class ReadBody {
  /** The newest notification that the page shows. */
  @OptionalId() max_id = '';
}

/** The notifications of a signed-in person, and the requests to follow that person. */
@RootApi('app')
export class NotificationPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly shown: AppNotifications,
    private readonly statuses: AppStatuses,
    private readonly notifications: NotificationsService,
    private readonly groups: NotificationGroupsService,
    private readonly related: RelatedAccountsService,
    private readonly accounts: AccountView,
    private readonly follows: FollowsService,
  ) {}

  @Get('notifications')
  @SignedIn()
  list(@Input(NotificationPageQuery) query: NotificationPageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session }) =>
      notificationsPage(t, await this.shown.list(t, session.accountId, query)),
    );
  }

  /** Marks all up to the newest one that the page shows as read. */
  @Post('notifications/read')
  @SignedIn()
  read(@Input(ReadBody) body: ReadBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.notifications.readUpTo(session.accountId, body.max_id));
  }

  @Get('notifications/clear')
  @SignedIn()
  askToClear(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, ({ t, session }) => clearPage(t, session));
  }

  @Post('notifications/clear')
  @SignedIn()
  clear(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.submit(
      visit,
      async ({ session }) => {
        await this.notifications.clear(session.accountId);
        return NOTIFICATIONS_PATH;
      },
      (alarm, { t, session }) => clearPage(t, session, alarm),
    );
  }

  @Post('notifications/:key/dismiss')
  @SignedIn()
  dismiss(@Param('key') key: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.groups.dismiss(session.accountId, key));
  }

  @Get('follow-requests')
  @SignedIn()
  requests(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, async ({ t, session: { accountId: viewerId } }) => {
      const page = await this.related.requests(viewerId, query);
      const { items, cursors } = await this.accounts.page(page, { viewerId });
      const people = items.map((each) => shownPerson(objectOf<AccountJson>(each), this.statuses.context));
      return followRequestsPage(t, people, page.items.length < query.limit ? undefined : cursors?.last);
    });
  }

  @Post('follow-requests/:id/accept')
  @SignedIn()
  accept(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.follows.accept(session.accountId, id));
  }

  @Post('follow-requests/:id/reject')
  @SignedIn()
  reject(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.follows.reject(session.accountId, id));
  }
}
