import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type AccountJson, AccountView, FollowsService, RelatedAccountsService } from '../../../accounts/index.js';
import { type ApiRequest, Input, OptionalId, PageQuery, RootApi, SignedIn } from '../../../common/index.js';
import { NotificationGroupsService, NotificationsService } from '../../../notifications/index.js';
import { SentFormBody } from '../../frame/sent-form.dto.js';
import { SessionPages } from '../../frame/session-pages.js';
import { shownPerson } from '../../parts/shown.js';
import { objectOf } from '../../parts/rendered.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { AppNotifications, NotificationPageQuery } from './app-notifications.js';
import { followRequestsPage } from './follow-requests.page.js';
import { clearPage, NOTIFICATIONS_PATH, notificationsPage } from './notifications.page.js';

class ReadBody extends SentFormBody {
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
  list(
    @Input(NotificationPageQuery) query: NotificationPageQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.open(request, response, async ({ t, session }) =>
      notificationsPage(t, await this.shown.list(t, session.accountId, query)),
    );
  }

  /** Marks all up to the newest one that the page shows as read. */
  @Post('notifications/read')
  @SignedIn()
  read(@Input(ReadBody) body: ReadBody, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.act(request, response, body, ({ session }) =>
      this.notifications.readUpTo(session.accountId, body.max_id),
    );
  }

  @Get('notifications/clear')
  @SignedIn()
  askToClear(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, ({ t, session }) => Promise.resolve(clearPage(t, session)));
  }

  @Post('notifications/clear')
  @SignedIn()
  clear(@Input(SentFormBody) body: SentFormBody, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.submit(
      request,
      response,
      body._csrf,
      async ({ session }) => {
        await this.notifications.clear(session.accountId);
        return NOTIFICATIONS_PATH;
      },
      ({ t, session }, alarm) => Promise.resolve(clearPage(t, session, alarm)),
    );
  }

  @Post('notifications/:key/dismiss')
  @SignedIn()
  dismiss(
    @Param('key') key: string,
    @Input(SentFormBody) body: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ session }) => this.groups.dismiss(session.accountId, key));
  }

  @Get('follow-requests')
  @SignedIn()
  requests(@Input(PageQuery) query: PageQuery, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, async ({ t, session: { accountId: viewerId } }) => {
      const page = await this.related.requests(viewerId, query);
      const { items, cursors } = await this.accounts.page(page, { viewerId });
      const people = items.map((each) => shownPerson(objectOf<AccountJson>(each), this.statuses.context));
      return followRequestsPage(t, people, page.items.length < query.limit ? undefined : cursors?.last);
    });
  }

  @Post('follow-requests/:id/accept')
  @SignedIn()
  accept(
    @Param('id') id: string,
    @Input(SentFormBody) body: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ session }) => this.follows.accept(session.accountId, id));
  }

  @Post('follow-requests/:id/reject')
  @SignedIn()
  reject(
    @Param('id') id: string,
    @Input(SentFormBody) body: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ session }) => this.follows.reject(session.accountId, id));
  }
}
