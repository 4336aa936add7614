import { Get, Param } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import { Answers, ClientApi, Input, type Json, OptionalAuth, Page, Summary, ViewerId } from '../../common/index.js';
import { PinsService, StatusShape, StatusView } from '../../statuses/index.js';
import { AccountStatusesQuery } from './timelines.dto.js';
import { TimelinesService } from './timelines.service.js';

/** `/api/v1/accounts/:id/statuses`, where `:id` may be a nickname (spec §1.5, §4.3). */
@ClientApi('v1', 'accounts')
export class AccountStatusesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly timelines: TimelinesService,
    private readonly pins: PinsService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the posts and reblogs of an account, the latest first.')
  @Get(':id/statuses')
  @OptionalAuth('read:statuses')
  @Answers([StatusShape])
  async statuses(
    @Param('id') id: string,
    @ViewerId() viewerId: string | undefined,
    @Input(AccountStatusesQuery) query: AccountStatusesQuery,
  ): Promise<Page<Json>> {
    const account = await this.accounts.visible(id, viewerId);
    const context = { viewerId, withMuted: query.with_muted ?? false, place: 'account' } as const;
    if (query.pinned) {
      const pinned = await this.pins.ofAuthor(account.id, viewerId, query.filter());
      return new Page(await this.view.many(pinned, context), undefined);
    }
    const rows = await this.timelines.ofAccount(account.id, viewerId, query, query.filter());
    return this.view.page(rows, query, context);
  }
}
