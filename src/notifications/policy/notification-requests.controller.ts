import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  NotFound,
  NothingShape,
  type Page,
  PageQuery,
  Scopes,
  Summary,
} from '../../common/index.js';
import { RequestIdsBody } from './notification-policy.dto.js';
import { NotificationPolicyService } from './notification-policy.service.js';
import { MergedShape, NotificationRequestShape } from './notification-policy.shape.js';
import { NotificationPolicyView } from './notification-policy.view.js';

/** `/api/v1/notifications/requests` (reference): accounts whose notifications the caller's policy filters. */
@ClientApi('v1', 'notifications/requests')
export class NotificationRequestsController {
  constructor(
    private readonly requests: NotificationPolicyService,
    private readonly view: NotificationPolicyView,
  ) {}

  @Summary("Lists the accounts whose notifications the caller's policy filters.")
  @Get()
  @Scopes('read:notifications')
  @Answers([NotificationRequestShape])
  async list(@CurrentAccount() viewerId: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    const page = await this.requests.page(viewerId, query);
    const rendered = await this.view.requests(page.items, { viewerId });
    return page.with(page.items.flatMap(({ id }) => rendered.get(id) ?? []));
  }

  // A job lists those below the newest 1,000: no page that an app reads at first has them.
  @Summary('Shows whether accepted notifications are in the list already: always true.')
  @Get('merged')
  @Scopes('read:notifications')
  @Answers(MergedShape)
  merged(): { merged: true } {
    return { merged: true };
  }

  @Summary('Shows one request of an account whose notifications are filtered.')
  @Get(':id')
  @Scopes('read:notifications')
  @Answers(NotificationRequestShape)
  async one(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    const row = await this.requests.one(viewerId, id);
    const request = (await this.view.requests([row], { viewerId })).get(row.id);
    if (!request) throw new NotFound();
    return request;
  }

  @Summary('Accepts the notifications of several accounts.')
  @Post('accept')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async acceptMany(
    @CurrentAccount() accountId: string,
    @Input(RequestIdsBody) { id }: RequestIdsBody,
  ): Promise<object> {
    await this.requests.acceptMany(accountId, id ?? []);
    return {};
  }

  @Summary('Removes several requests and their filtered notifications.')
  @Post('dismiss')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismissMany(
    @CurrentAccount() accountId: string,
    @Input(RequestIdsBody) { id }: RequestIdsBody,
  ): Promise<object> {
    await this.requests.dismissMany(accountId, id ?? []);
    return {};
  }

  @Summary('Accepts the notifications of an account, now and later.')
  @Post(':id/accept')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async accept(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.requests.accept(accountId, id);
    return {};
  }

  @Summary('Removes a request and its filtered notifications.')
  @Post(':id/dismiss')
  @Scopes('write:notifications')
  @Answers(NothingShape)
  async dismiss(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.requests.dismiss(accountId, id);
    return {};
  }
}
