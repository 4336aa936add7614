import { Get, Param } from '@nestjs/common';
import {
  type Auth,
  ClientApi,
  CurrentAccount,
  CurrentAuth,
  inOrder,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  Scopes,
  ViewerId,
} from '../common/index.js';
import type { AccountCounts } from './account.rows.js';
import { AccountView } from './account.view.js';
import { LookUpDto, RelatedAccountsDto, RelationshipsDto, ShowAccountDto } from './accounts.dto.js';
import { AccountsService } from './accounts.service.js';
import { RelationshipView } from './relationship.view.js';

/** Accounts, and how they are related (spec §4.3). An `:id` is an id or a nickname; literal paths come first. */
@ClientApi('v1', 'accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
    private readonly relationships: RelationshipView,
  ) {}

  @Get('lookup')
  @OptionalAuth('read:accounts')
  async lookUp(@Input(LookUpDto) { acct }: LookUpDto, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.one(await this.accounts.lookUp(acct), { viewerId });
  }

  @Get('relationships')
  @Scopes('read:follows')
  related(@CurrentAccount() viewerId: string, @Input(RelationshipsDto) { id }: RelationshipsDto): Promise<Json[]> {
    return this.relationships.many(viewerId, id);
  }

  @Get(':id')
  @OptionalAuth('read:accounts')
  async show(
    @Param('id') id: string,
    @Input(ShowAccountDto) { with_relationships }: ShowAccountDto,
    @CurrentAuth() auth?: Auth,
  ): Promise<Json> {
    const viewerId = auth?.accountId ?? undefined;
    const account = await this.accounts.visible(id, viewerId, { seesAll: auth?.isAdmin ?? false });
    return this.view.one(account, { viewerId, withRelationships: with_relationships });
  }

  @Get(':id/followers')
  @OptionalAuth('read:accounts')
  async followers(
    @Param('id') id: string,
    @Input(RelatedAccountsDto) query: RelatedAccountsDto,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.visible(id, viewerId);
    return this.rendered(await this.accounts.followers(account, query, viewerId), query, viewerId);
  }

  @Get(':id/following')
  @OptionalAuth('read:accounts')
  async following(
    @Param('id') id: string,
    @Input(RelatedAccountsDto) query: RelatedAccountsDto,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.visible(id, viewerId);
    return this.rendered(await this.accounts.following(account, query, viewerId), query, viewerId);
  }

  private async rendered(
    page: Page<AccountCounts>,
    { with_relationships }: RelatedAccountsDto,
    viewerId: string | undefined,
  ): Promise<Page<Json>> {
    const rendered = await this.view.render(page.items, { viewerId, withRelationships: with_relationships });
    return page.with(
      inOrder(
        page.items.map(({ id }) => id),
        rendered,
      ),
    );
  }
}
