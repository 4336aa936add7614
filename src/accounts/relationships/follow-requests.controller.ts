import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  type Page,
  PageQuery,
  Scopes,
  Summary,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { FollowsService } from './follows.service.js';
import { RelatedAccountsService } from './related.service.js';
import { RelationshipChanges } from './relationship-changes.js';
import { AccountShape } from '../model/account.shape.js';
import { RelationshipShape } from '../model/relationship.shape.js';

/** Follow requests to the caller; `:id` is the account that asks. */
@ClientApi('v1', 'follow_requests')
export class FollowRequestsController {
  constructor(
    private readonly related: RelatedAccountsService,
    private readonly follows: FollowsService,
    private readonly view: AccountView,
    private readonly changes: RelationshipChanges,
  ) {}

  @Summary('Lists the accounts that ask to follow the caller, the latest first.')
  @Get()
  @Scopes('follow', 'read:follows')
  @Answers([AccountShape])
  async list(@CurrentAccount() me: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    return this.view.page(await this.related.requests(me, query), { viewerId: me });
  }

  @Summary('Accepts a follow request; the id is that of the account that asks.')
  @Post(':id/authorize')
  @Scopes('follow', 'write:follows')
  @Answers(RelationshipShape)
  authorize(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.decide(me, id, (follower) => this.follows.accept(me, follower));
  }

  @Summary('Rejects a follow request; the id is that of the account that asks.')
  @Post(':id/reject')
  @Scopes('follow', 'write:follows')
  @Answers(RelationshipShape)
  reject(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.changes.decide(me, id, (follower) => this.follows.reject(me, follower));
  }
}
