import { Get, Param } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  PageQuery,
  Scopes,
  Summary,
  SvcApi,
  ViewerId,
} from '../../common/index.js';
import { InteractionsService } from './interactions.service.js';
import { StatusView } from '../rendering/status.view.js';
import { StatusShape } from '../rendering/status.shape.js';

/**
 * `/api/v1/favourites`: the caller's own, in the order they were added. Only the Link header has the cursors of pages.
 */
@ClientApi('v1', 'favourites')
export class FavouritesController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the posts that the caller favourited, the latest favourite first.')
  @Get()
  @Scopes('read:favourites')
  @Answers([StatusShape])
  async list(@CurrentAccount() accountId: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    const rows = await this.interactions.favourites(accountId, query);
    return this.view.page(rows, query, { viewerId: accountId }, ({ cursor }) => cursor);
  }
}

/** `accounts/:id/favourites`: of any account that does not hide them (spec §4.2), paged in the same way. */
@SvcApi('accounts')
export class AccountFavouritesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly interactions: InteractionsService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the posts that an account favourited, the latest favourite first; 403 if it hides them.')
  @Get(':id/favourites')
  @OptionalAuth('read:favourites')
  @Answers([StatusShape])
  async list(
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.owner(id, viewerId);
    const rows = await this.interactions.favouritesOf(account, query, viewerId);
    return this.view.page(rows, query, { viewerId }, ({ cursor }) => cursor);
  }
}
