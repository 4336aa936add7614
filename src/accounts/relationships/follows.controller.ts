import { Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  RateLimit,
  Scopes,
  Summary,
} from '../../common/index.js';
import { FollowUriBody } from './relationships.dto.js';
import { AccountsService } from '../core/accounts.service.js';
import { FollowsService } from './follows.service.js';
import { RelationshipChanges } from './relationship-changes.js';
import { RelationshipShape } from '../model/relationship.shape.js';

/** Follows an account by its handle or address (spec §4.3). */
@ClientApi('v1', 'follows')
export class FollowsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly changes: RelationshipChanges,
  ) {}

  @Summary('Follows an account by its handle or address, which may be on a server not known yet.')
  @Post()
  @Scopes('follow', 'write:follows')
  @RateLimit('relations_actions', 'follows')
  @Answers(RelationshipShape)
  async follow(@CurrentAccount() me: string, @Input(FollowUriBody) { uri }: FollowUriBody): Promise<Json> {
    const { id } = await this.accounts.resolve(uri);
    await this.follows.follow(me, id);
    return this.changes.shown(me, id);
  }
}
