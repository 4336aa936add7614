import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  RateLimit,
  Scopes,
  Summary,
  SvcApi,
  ViewerId,
} from '../common/index.js';
import { AccountView } from './rendering/account.view.js';
import { RelatedAccountsQuery } from './relationships/relationships.dto.js';
import { AccountsService } from './core/accounts.service.js';
import { FollowsService } from './relationships/follows.service.js';
import { RelatedAccountsService } from './relationships/related.service.js';
import { RelationshipChanges } from './relationships/relationship-changes.js';
import { AccountShape } from './model/account.shape.js';
import { RelationshipShape } from './model/relationship.shape.js';

/** The account routes of the service's own API (spec §4.2). */
@SvcApi('accounts')
export class SvcAccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly related: RelatedAccountsService,
    private readonly follows: FollowsService,
    private readonly view: AccountView,
    private readonly changes: RelationshipChanges,
  ) {}

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
    const page = await this.related.endorsed(account.id, query, viewerId);
    return this.view.page(page, { viewerId, withRelationships: query.with_relationships });
  }

  @Summary('Follows an account with a notification for each of its posts.', { deprecated: true })
  @Post(':id/subscribe')
  @Scopes('follow', 'write:follows')
  @RateLimit('relations_actions', 'relation_id_action', 'follows')
  @Answers(RelationshipShape)
  subscribe(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.follows.follow(me, target, { notify: true }));
  }

  @Summary('Stops the notifications for the posts of a followed account; the follow stays.', { deprecated: true })
  @Post(':id/unsubscribe')
  @Scopes('follow', 'write:follows')
  @RateLimit('relations_actions', 'relation_id_action')
  @Answers(RelationshipShape)
  unsubscribe(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.make(me, id, (target) => this.follows.stopNotifying(me, target));
  }
}
