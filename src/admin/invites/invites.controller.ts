import { Get, Header, HttpCode, Post } from '@nestjs/common';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  NothingShape,
  Summary,
  ValidationStatus,
} from '../../common/index.js';
import { AdminInvitesService } from './admin-invites.service.js';
import { inviteJson, type InviteJson, InviteShape, InvitesShape } from './invite.shape.js';
import { InviteMailBody, InviteTokenBody, NewInviteBody } from './invites.dto.js';

/** Invites (spec §4.1.2). */
@AdminApi('users')
export class InvitesController {
  constructor(private readonly invites: AdminInvitesService) {}

  @Summary('Creates an invite, limited by uses and by a date on request.')
  @Post('invite_token')
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Header('Cache-Control', 'no-store')
  @Answers(InviteShape)
  async create(
    @CurrentAuth() actor: Auth,
    @Input(NewInviteBody) { max_use, expires_at }: NewInviteBody,
  ): Promise<InviteJson> {
    const limits = { maxUse: max_use ?? null, expiresAt: expires_at || null };
    return inviteJson(await this.invites.create(actor, limits));
  }

  @Summary('Lists all invites.')
  @Get('invites')
  @AdminOnly('admin:read:invites')
  @Header('Cache-Control', 'no-store')
  @Answers(InvitesShape)
  async list(): Promise<{ invites: InviteJson[] }> {
    return { invites: (await this.invites.list()).map(inviteJson) };
  }

  @Summary('Revokes an invite.')
  @Post('revoke_invite')
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Answers(InviteShape)
  async revoke(@CurrentAuth() actor: Auth, @Input(InviteTokenBody) { token }: InviteTokenBody): Promise<InviteJson> {
    return inviteJson(await this.invites.revoke(actor, token));
  }

  @Summary('Sends an invite by mail.')
  @Post('email_invite')
  @HttpCode(204)
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Answers(NothingShape)
  async email(@CurrentAuth() actor: Auth, @Input(InviteMailBody) input: InviteMailBody): Promise<void> {
    await this.invites.email(actor, input);
  }
}
