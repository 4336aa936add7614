import { Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Type } from 'typebox';
import { acctOf } from '../../accounts/index.js';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  Json,
  Summary,
  TextShape,
} from '../../common/index.js';
import { CreatedUsersShape } from './admin-user.shape.js';
import { UserAccountsService } from './user-accounts.service.js';
import { UserModerationService } from './user-moderation.service.js';
import { DeletionBody, FollowBody, NewUsersBody, TagsBody } from './users.dto.js';

/** `A/users`: new and former users, their tags, and follows on their behalf (spec §4.1.1). */
@AdminApi('users')
export class UserAccountsController {
  constructor(
    private readonly users: UserAccountsService,
    private readonly moderation: UserModerationService,
  ) {}

  @Summary('Creates accounts: all of them or none.')
  @Post()
  @AdminOnly('admin:write:accounts')
  @Answers(CreatedUsersShape)
  async create(@CurrentAuth() actor: Auth, @Input(NewUsersBody) { users }: NewUsersBody): Promise<Json> {
    return Json.of(await this.users.create(actor, users));
  }

  /** With `nickname`, the older form, it answers that nickname. */
  @Summary('Deletes accounts; returns their names, or the name given in the older form.')
  @Delete()
  @AdminOnly('admin:write:accounts')
  @Answers(Type.Union([Type.Array(TextShape), TextShape]))
  async delete(@CurrentAuth() actor: Auth, @Input(DeletionBody) input: DeletionBody): Promise<Json> {
    const deleted = await this.users.delete(actor, input.names());
    const names = deleted.map(({ nickname, domain }) => acctOf(nickname, domain));
    return Json.of(input.nicknames.length > 0 ? names : names[0]);
  }

  @Summary('Makes one account follow another.')
  @Post('follow')
  @AdminOnly('admin:write:follows')
  @Answers(TextShape)
  follow(@CurrentAuth() actor: Auth, @Input(FollowBody) input: FollowBody): Promise<Json> {
    return this.setFollow(actor, input, true);
  }

  @Summary('Makes one account unfollow another.')
  @Post('unfollow')
  @AdminOnly('admin:write:follows')
  @Answers(TextShape)
  unfollow(@CurrentAuth() actor: Auth, @Input(FollowBody) input: FollowBody): Promise<Json> {
    return this.setFollow(actor, input, false);
  }

  @Summary('Adds moderation tags to accounts.')
  @Put('tag')
  @HttpCode(204)
  @AdminOnly('admin:write:accounts')
  async tag(@CurrentAuth() actor: Auth, @Input(TagsBody) { nicknames, tags }: TagsBody): Promise<void> {
    await this.moderation.setTags(actor, nicknames, tags, true);
  }

  @Summary('Removes moderation tags from accounts.')
  @Delete('tag')
  @HttpCode(204)
  @AdminOnly('admin:write:accounts')
  async untag(@CurrentAuth() actor: Auth, @Input(TagsBody) { nicknames, tags }: TagsBody): Promise<void> {
    await this.moderation.setTags(actor, nicknames, tags, false);
  }

  private async setFollow(actor: Auth, { follower, followed }: FollowBody, on: boolean): Promise<Json> {
    await this.users.setFollow(actor, follower, followed, on);
    return Json.of('ok');
  }
}
