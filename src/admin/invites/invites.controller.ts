import { Get, Header, HttpCode, Post } from '@nestjs/common';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAccount,
  CurrentAuth,
  Input,
  NothingShape,
  ValidationStatus,
} from '../../common/index.js';
import { InvitesService, type ListedInvite } from '../../sign-in/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';
import { inviteJson, type InviteJson, InviteShape, InvitesShape } from './invite.shape.js';
import { InviteMailBody, InviteTokenBody, NewInviteBody } from './invites.dto.js';

/** Invites (spec §4.1.2). */
@AdminApi('users')
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
  ) {}

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
    return this.logged(actor, 'invite_create', () => this.invites.create(limits));
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
  async revoke(@CurrentAuth() actor: Auth, @Input(InviteTokenBody) { token }: InviteTokenBody): Promise<InviteJson> {
    return this.logged(actor, 'invite_revoke', () => this.invites.revoke(token));
  }

  @Post('email_invite')
  @HttpCode(204)
  @AdminOnly('admin:write:invites')
  @ValidationStatus()
  @Answers(NothingShape)
  async email(@CurrentAccount() actorId: string, @Input(InviteMailBody) input: InviteMailBody): Promise<void> {
    await this.uow.run(async () => {
      await this.invites.email(actorId, input);
      await this.log.record({ accountId: actorId }, 'invite_email', []);
    });
  }

  private logged(actor: Auth, action: ModerationAction, change: () => Promise<ListedInvite>): Promise<InviteJson> {
    return this.uow.run(async () => {
      const invite = inviteJson(await change());
      await this.log.record(actor, action, { type: 'invite', id: String(invite.id) });
      return invite;
    });
  }
}
