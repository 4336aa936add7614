import { Delete, Get, Param, Post } from '@nestjs/common';
import type { ModeratedAccount } from '../../accounts/index.js';
import { AdminApi, AdminOnly, Answers, type Auth, CurrentAuth, Input, Json, Summary } from '../../common/index.js';
import { GroupMemberShape, PermissionGroupsShape } from './admin-user.shape.js';
import { AdminUserView } from './admin-user.view.js';
import { PermissionGroupsService } from './permission-groups.service.js';
import { NicknamesBody } from './users.dto.js';

/** `A/users/…/permission_group` (spec §3.3, §4.1.1). Changes of one user in the path are the older form (spec §9.3). */
@AdminApi('users')
export class PermissionGroupsController {
  constructor(
    private readonly groups: PermissionGroupsService,
    private readonly view: AdminUserView,
  ) {}

  @Summary('Shows whether a user is a moderator and whether an administrator.')
  @Get(':nickname/permission_group')
  @AdminOnly('admin:read:accounts')
  @Answers(PermissionGroupsShape)
  async all(@Param('nickname') nickname: string): Promise<Json> {
    const { isModerator, isAdmin } = await this.groups.member(nickname);
    return Json.of({ is_moderator: isModerator, is_admin: isAdmin });
  }

  @Summary('Shows the rights of a user, for a group that must exist.')
  @Get(':nickname/permission_group/:permission_group')
  @AdminOnly('admin:read:accounts')
  @Answers(PermissionGroupsShape)
  one(@Param('nickname') nickname: string, @Param('permission_group') group: string): Promise<Json> {
    this.groups.groupOf(group);
    return this.all(nickname);
  }

  @Summary('Gives a right to users.')
  @Post('permission_group/:permission_group')
  @AdminOnly('admin:write:accounts')
  @Answers(GroupMemberShape)
  add(
    @CurrentAuth() actor: Auth,
    @Param('permission_group') group: string,
    @Input(NicknamesBody) { nicknames }: NicknamesBody,
  ): Promise<Json> {
    return this.set(actor, group, nicknames, true);
  }

  @Summary('Gives a right to one user.', { deprecated: true })
  @Post(':nickname/permission_group/:permission_group')
  @AdminOnly('admin:write:accounts')
  @Answers(GroupMemberShape)
  addOne(
    @CurrentAuth() actor: Auth,
    @Param('permission_group') group: string,
    @Param('nickname') nickname: string,
  ): Promise<Json> {
    return this.set(actor, group, [nickname], true);
  }

  @Summary('Takes a right from users.')
  @Delete('permission_group/:permission_group')
  @AdminOnly('admin:write:accounts')
  @Answers(GroupMemberShape)
  remove(
    @CurrentAuth() actor: Auth,
    @Param('permission_group') group: string,
    @Input(NicknamesBody) { nicknames }: NicknamesBody,
  ): Promise<Json> {
    return this.set(actor, group, nicknames, false);
  }

  @Summary('Takes a right from one user.', { deprecated: true })
  @Delete(':nickname/permission_group/:permission_group')
  @AdminOnly('admin:write:accounts')
  @Answers(GroupMemberShape)
  removeOne(
    @CurrentAuth() actor: Auth,
    @Param('permission_group') group: string,
    @Param('nickname') nickname: string,
  ): Promise<Json> {
    return this.set(actor, group, [nickname], false);
  }

  /** Answers the flag, and the user too if it is one. */
  private async set(actor: Auth, name: string, nicknames: readonly string[], on: boolean): Promise<Json> {
    const group = this.groups.groupOf(name);
    const members = await this.groups.set(actor, group, nicknames, on);
    const [user] = members.length === 1 ? members : [];
    return Json.object({ ...this.shown(user), [group === 'admin' ? 'is_admin' : 'is_moderator']: on });
  }

  private shown(user: ModeratedAccount | undefined): object {
    return user ? this.view.one(user) : {};
  }
}
