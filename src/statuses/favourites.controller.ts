import { Get } from '@nestjs/common';
import { ClientApi, CurrentAccount, Input, type Json, type Page, PageQuery, Scopes } from '../common/index.js';
import { InteractionsService } from './interactions.service.js';
import { StatusView } from './status.view.js';

/** `/api/v1/favourites`: the caller's own; pages go by when a status became one, which only the Link header tells. */
@ClientApi('v1', 'favourites')
export class FavouritesController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly view: StatusView,
  ) {}

  @Get()
  @Scopes('read:favourites')
  async list(@CurrentAccount() accountId: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    const page = await this.interactions.favourites(accountId, query);
    return page.with(await this.view.many(page.items, { viewerId: accountId }));
  }
}
