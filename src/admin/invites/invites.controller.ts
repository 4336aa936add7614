import { Get, Header, HttpCode, Post } from '@nestjs/common';
import {
  AdminApi,
  AdminOnly,
  Answers,
  CurrentAccount,
  Input,
  NothingShape,
  ValidationStatus,
} from '../../common/index.js';
import { InvitesService } from '../../oauth/index.js';
import { type InviteJson, InviteShape, InvitesShape } from './invite.shape.js';
import { inviteJson } from './invite.view.js';
import { InviteMailBody, InviteTokenBody, NewInviteBody } from './invites.dto.js';

/** Invites (spec §4.1.2). */
@AdminApi('users')
export class InvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Post('invite_token')
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Header('Cache-Control', 'no-store')
  @Answers(InviteShape)
  async create(
    @CurrentAccount() actorId: string,
    @Input(NewInviteBody) { max_use, expires_at }: NewInviteBody,
  ): Promise<InviteJson> {
    return inviteJson(await this.invites.create(actorId, { maxUse: max_use ?? null, expiresAt: expires_at || null }));
  }

  @Get('invites')
  @AdminOnly('admin:read:invites')
  @Header('Cache-Control', 'no-store')
  @Answers(InvitesShape)
  async list(): Promise<{ invites: InviteJson[] }> {
    return { invites: (await this.invites.list()).map(inviteJson) };
  }

  @Post('revoke_invite')
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Answers(InviteShape)
  async revoke(
    @CurrentAccount() actorId: string,
    @Input(InviteTokenBody) { token }: InviteTokenBody,
  ): Promise<InviteJson> {
    return inviteJson(await this.invites.revoke(actorId, token));
  }

  @Post('email_invite')
  @HttpCode(204)
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Answers(NothingShape)
  async email(@CurrentAccount() actorId: string, @Input(InviteMailBody) input: InviteMailBody): Promise<void> {
    await this.invites.email(actorId, input);
  }
}
