import { Get, Param, Post } from '@nestjs/common';
import {
  Input,
  Nested,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import {
  NotificationPolicyBody,
  NotificationPolicyService,
  NotificationPolicyView,
  type NotificationRequestJson,
} from '../../../notifications/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { objectOf } from '../../parts/rendered.js';
import { shownPerson, shownStatus } from '../../parts/shown.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { heldBackPage, type ShownRequest } from './held-back.page.js';
import { wordsOf } from './notification.part.js';
import { HELD_BACK_PATH } from './notifications.page.js';

class PolicyFormBody {
  @Nested(() => NotificationPolicyBody) policy?: NotificationPolicyBody;
}

/** What is refused, with the form as it was typed. */
interface Refused {
  readonly alarm: string;
  readonly typed: PolicyFormBody;
}

/** The notifications that the policy of a signed-in person holds back, and the policy. Requests of others are 404. */
@RootApi('app/notifications/held_back')
export class HeldBackController {
  constructor(
    private readonly pages: SessionPages,
    private readonly policies: NotificationPolicyService,
    private readonly view: NotificationPolicyView,
    private readonly statuses: AppStatuses,
  ) {}

  @Get()
  @SignedIn()
  show(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit, query));
  }

  /** Changes the policy. It holds for the notifications that follow. */
  @Post()
  @SignedIn()
  change(@Input(PolicyFormBody) body: PolicyFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const change = async ({ session }: Visit) => {
      await this.policies.change(session.accountId, body.policy?.changes() ?? {});
      return HELD_BACK_PATH;
    };
    return this.pages.submit(visit, change, (alarm) => this.page(visit, new PageQuery(), { alarm, typed: body }));
  }

  /** Lists the notifications of the person, now and henceforth. */
  @Post(':id/accept')
  @SignedIn()
  accept(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.policies.accept(session.accountId, id));
  }

  /** Removes the notifications of the person; later ones are held back again. */
  @Post(':id/dismiss')
  @SignedIn()
  dismiss(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.policies.dismiss(session.accountId, id));
  }

  private async page(visit: Visit, query: PageQuery, refused?: Refused): Promise<PageContent> {
    const { t, session } = visit;
    const { accountId: viewerId } = session;
    const [page, { policy, requests: total }] = await Promise.all([
      this.policies.page(viewerId, query),
      this.policies.show(viewerId),
    ]);
    const rendered = await this.view.requests(page.items, { viewerId });
    const requests = page.items.flatMap(({ id }) => {
      const request = rendered.get(id);
      return request ? [this.shown(visit, objectOf<NotificationRequestJson>(request))] : [];
    });
    return heldBackPage(t, session, {
      requests,
      total,
      older: page.items.length < query.limit ? undefined : page.cursors?.last,
      policy: { ...policy, ...refused?.typed.policy?.changes() },
      alarm: refused?.alarm,
    });
  }

  private shown({ t }: Visit, request: NotificationRequestJson): ShownRequest {
    const { context } = this.statuses;
    const status = request.last_status && shownStatus(request.last_status, context);
    return {
      id: request.id,
      person: shownPerson(request.account, context),
      count: Number(request.notifications_count),
      status: status ? { id: status.id, words: wordsOf(t, status) } : undefined,
    };
  }
}
