import { Get, Param, Post } from '@nestjs/common';
import { AccountShape, AccountView } from '../../accounts/index.js';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Describe,
  inOrder,
  Input,
  type Json,
  OneOf,
  OptionalAuth,
  type Page,
  PageQuery,
  RateLimit,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { InteractionsService } from './interactions.service.js';
import { StatusView } from '../rendering/status.view.js';
import { REBLOG_VISIBILITIES, type ReblogVisibility } from '../compose/status.writer.js';
import { ReblogShape, PlainStatusShape } from '../rendering/status.shape.js';

class ReblogBody {
  @Describe('Who sees the reblog.')
  @OneOf(REBLOG_VISIBILITIES)
  visibility?: ReblogVisibility;
}

/** `/api/v1/statuses/:id/…`: favourites and boosts of a status, and the accounts behind them. */
@ClientApi('v1', 'statuses/:id')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly view: StatusView,
    private readonly accounts: AccountView,
  ) {}

  @Summary('Favourites a post.')
  @Post('favourite')
  @Scopes('write:favourites')
  @RateLimit('statuses_actions', 'status_id_action:favourite')
  @Answers(PlainStatusShape)
  async favourite(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.interactions.favourite(id, accountId), { viewerId: accountId });
  }

  @Summary('Removes a favourite.')
  @Post('unfavourite')
  @Scopes('write:favourites')
  @RateLimit('statuses_actions', 'status_id_action:favourite')
  @Answers(PlainStatusShape)
  async unfavourite(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    const { statusId } = await this.interactions.unfavourite(id, accountId);
    return this.view.one(statusId, { viewerId: accountId });
  }

  @Summary('Reblogs a post.')
  @Post('reblog')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions', 'status_id_action:reblog')
  @Answers(ReblogShape)
  async reblog(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(ReblogBody) { visibility }: ReblogBody,
  ): Promise<Json> {
    return this.view.one(await this.interactions.reblog(id, accountId, visibility), { viewerId: accountId });
  }

  @Summary('Removes a reblog.')
  @Post('unreblog')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions', 'status_id_action:reblog')
  @Answers(PlainStatusShape)
  async unreblog(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.interactions.unreblog(id, accountId), { viewerId: accountId });
  }

  @Summary('Lists the accounts that favourited a post, the latest first.')
  @Get('favourited_by')
  @OptionalAuth('read:accounts')
  @Answers([AccountShape])
  async favouritedBy(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
  ): Promise<Page<Json>> {
    return this.people(await this.interactions.favouritedBy(id, query, viewerId), viewerId);
  }

  @Summary('Lists the accounts that reblogged a post, the latest first.')
  @Get('reblogged_by')
  @OptionalAuth('read:accounts')
  @Answers([AccountShape])
  async rebloggedBy(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
  ): Promise<Page<Json>> {
    return this.people(await this.interactions.rebloggedBy(id, query, viewerId), viewerId);
  }

  private async people(page: Page<string>, viewerId: string | undefined): Promise<Page<Json>> {
    return page.with(inOrder(page.items, await this.accounts.many(page.items, { viewerId })));
  }
}
