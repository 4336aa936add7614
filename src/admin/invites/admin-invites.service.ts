import { Injectable } from '@nestjs/common';
import type { Actor } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import {
  type Invitee,
  type InviteLimits,
  type InviteRole,
  InvitesService,
  type ListedInvite,
} from '../../sign-in/index.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** Invites by the staff (spec §4.1.2). Each change adds an entry to the moderation log. */
@Injectable()
export class AdminInvitesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly invites: InvitesService,
    private readonly log: ModerationLogService,
  ) {}

  /** What the settings make of invites. */
  get role(): InviteRole {
    return this.invites.role;
  }

  list(): Promise<ListedInvite[]> {
    return this.invites.list();
  }

  /** @throws Invalid for a last day that does not exist or is over */
  create(actor: Actor, limits: InviteLimits): Promise<ListedInvite> {
    return this.logged(actor, 'invite_create', () => this.invites.create(limits));
  }

  /** @throws NotFound for an unknown token */
  revoke(actor: Actor, token: string): Promise<ListedInvite> {
    return this.logged(actor, 'invite_revoke', () => this.invites.revoke(token));
  }

  /** Sends an invite by mail. @throws Invalid as {@link InvitesService.email} */
  async email(actor: Actor, invitee: Invitee): Promise<void> {
    await this.uow.run(async () => {
      await this.invites.email(actor.accountId, invitee);
      await this.log.record(actor, 'invite_email', []);
    });
  }

  private logged(actor: Actor, action: ModerationAction, change: () => Promise<ListedInvite>): Promise<ListedInvite> {
    return this.uow.run(async () => {
      const invite = await change();
      await this.log.record(actor, action, { type: 'invite', id: String(invite.id) });
      return invite;
    });
  }
}
