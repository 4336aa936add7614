import { Get, Param } from '@nestjs/common';
import {
  Answers,
  type Auth,
  ClientApi,
  CurrentAccount,
  CurrentAuth,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  Scopes,
  Summary,
  ViewerId,
} from '../common/index.js';
import { AccountView, type ViewContext } from './rendering/account.view.js';
import {
  AccountsQuery,
  FamiliarFollowersQuery,
  LookUpQuery,
  RelationshipsQuery,
  ShowAccountQuery,
} from './accounts.dto.js';
import { AccountsService } from './core/accounts.service.js';
import { FamiliarView } from './familiar/familiar.view.js';
import { RelatedAccountsQuery } from './relationships/relationships.dto.js';
import { RelatedAccountsService } from './relationships/related.service.js';
import { RelationshipView } from './rendering/relationship.view.js';
import { AccountShape, LookedUpAccountShape } from './model/account.shape.js';
import { FamiliarFollowersShape } from './familiar/familiar.view.js';
import { RelationshipShape } from './model/relationship.shape.js';

/** Accounts, and how they are related (spec §4.3). An `:id` is an id or a nickname; literal paths come first. */
@ClientApi('v1', 'accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly related: RelatedAccountsService,
    private readonly view: AccountView,
    private readonly relationships: RelationshipView,
    private readonly familiar: FamiliarView,
  ) {}

  @Summary('Lists the accounts with the given ids.')
  @Get()
  @OptionalAuth('read:accounts')
  @Answers([AccountShape])
  async list(@Input(AccountsQuery) { id }: AccountsQuery, @ViewerId() viewerId?: string): Promise<Json[]> {
    return this.view.list(await this.accounts.listed(id, viewerId), { viewerId });
  }

  @Summary('Finds an account by its handle, among the accounts that this server knows.')
  @Get('lookup')
  @OptionalAuth('read:accounts')
  @Answers(LookedUpAccountShape)
  async lookUp(@Input(LookUpQuery) { acct }: LookUpQuery, @CurrentAuth() auth?: Auth): Promise<Json> {
    const viewer = viewerOf(auth);
    return this.view.one(await this.accounts.lookUp(acct, viewer.viewerId, { seesAll: seesAll(auth) }), viewer);
  }

  @Summary('Shows how the caller relates to each of the given accounts.')
  @Get('relationships')
  @Scopes('read:follows')
  @Answers([RelationshipShape])
  relationshipsTo(
    @CurrentAccount() viewerId: string,
    @Input(RelationshipsQuery) { id, with_suspended: withHidden }: RelationshipsQuery,
  ): Promise<Json[]> {
    return this.relationships.many(viewerId, id, { withHidden });
  }

  @Summary('Lists, for each given account, the accounts that the caller follows and that follow it.')
  @Get('familiar_followers')
  @Scopes('read:follows')
  @Answers([FamiliarFollowersShape])
  familiarFollowers(
    @CurrentAccount() viewerId: string,
    @Input(FamiliarFollowersQuery) { id }: FamiliarFollowersQuery,
  ): Promise<Json[]> {
    return this.familiar.many(viewerId, id);
  }

  @Summary('Shows one account, by its id or its nickname.')
  @Get(':id')
  @OptionalAuth('read:accounts')
  @Answers(LookedUpAccountShape)
  async show(
    @Param('id') id: string,
    @Input(ShowAccountQuery) { with_relationships }: ShowAccountQuery,
    @CurrentAuth() auth?: Auth,
  ): Promise<Json> {
    const viewer = viewerOf(auth);
    const account = await this.accounts.visible(id, viewer.viewerId, { seesAll: seesAll(auth) });
    return this.view.one(account, { ...viewer, withRelationships: with_relationships });
  }

  @Summary('Lists the followers of an account, the latest first; empty if it hides them.')
  @Get(':id/followers')
  @OptionalAuth('read:accounts')
  @Answers([AccountShape])
  async followers(
    @Param('id') id: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.owner(id, viewerId);
    return this.view.page(await this.related.followers(account, query, viewerId), contextOf(viewerId, query));
  }

  @Summary('Lists the accounts that an account features on its profile.')
  @Get(':id/endorsements')
  @OptionalAuth()
  @Answers([AccountShape])
  async endorsements(
    @Param('id') id: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.owner(id, viewerId);
    return this.view.page(await this.related.endorsed(account.id, query, viewerId), contextOf(viewerId, query));
  }

  @Summary('Lists the accounts that an account follows, the latest first; empty if it hides them.')
  @Get(':id/following')
  @OptionalAuth('read:accounts')
  @Answers([AccountShape])
  async following(
    @Param('id') id: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.owner(id, viewerId);
    return this.view.page(await this.related.following(account, query, viewerId), contextOf(viewerId, query));
  }
}

function contextOf(viewerId: string | undefined, { with_relationships }: RelatedAccountsQuery): ViewContext {
  return { viewerId, withRelationships: with_relationships };
}

function viewerOf(auth: Auth | undefined): ViewContext {
  return { viewerId: auth?.accountId ?? undefined, isStaff: auth !== undefined && (auth.isAdmin || auth.isModerator) };
}

/** Admins also see accounts that are hidden from all others. */
function seesAll(auth: Auth | undefined): boolean {
  return auth?.isAdmin ?? false;
}
