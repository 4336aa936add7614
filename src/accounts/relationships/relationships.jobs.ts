import { Injectable } from '@nestjs/common';
import { Recurs, Subscribes } from '../../platform/index.js';
import {
  AccountActivated,
  AccountDeactivated,
  AccountMoved,
  AccountUnlocked,
  DomainBlocked,
  UserArrived,
} from '../model/accounts.events.js';
import { AccountNotesService } from './account-notes.service.js';
import { AutofollowsService } from './autofollows.service.js';
import { BlocksService } from './blocks.service.js';
import { DomainBlocksService } from './domain-blocks.service.js';
import { FollowsService } from './follows.service.js';

const EVERY_MINUTES = 5;

@Injectable()
export class RelationshipsJobs {
  constructor(
    private readonly follows: FollowsService,
    private readonly blocks: BlocksService,
    private readonly notes: AccountNotesService,
    private readonly domainBlocks: DomainBlocksService,
    private readonly autofollows: AutofollowsService,
  ) {}

  @Subscribes(UserArrived, { job: 'accounts.autofollow', queue: 'notify' })
  async onArrived({ accountId }: UserArrived): Promise<void> {
    await this.autofollows.makeFollows(accountId);
  }

  @Subscribes(AccountUnlocked, { job: 'accounts.accept-waiting', queue: 'maintenance' })
  async onUnlocked({ accountId }: AccountUnlocked): Promise<void> {
    await this.follows.acceptAllWaiting(accountId);
  }

  @Subscribes(AccountDeactivated, { job: 'accounts.uncount-follows', queue: 'maintenance' })
  async onDeactivated({ accountId }: AccountDeactivated): Promise<void> {
    await this.follows.recount(accountId);
  }

  @Subscribes(AccountActivated, { job: 'accounts.count-follows', queue: 'maintenance' })
  async onActivated({ accountId }: AccountActivated): Promise<void> {
    await this.follows.recount(accountId);
  }

  @Subscribes(AccountMoved, { job: 'accounts.copy-blocks', queue: 'notify' })
  async onMoved({ accountId, targetId }: AccountMoved): Promise<void> {
    await this.blocks.copy(accountId, targetId);
    await this.notes.copy(accountId, targetId);
  }

  @Subscribes(DomainBlocked, { job: 'accounts.remove-followers-of-domain', queue: 'maintenance' })
  async onDomainBlocked({ accountId, domain }: DomainBlocked): Promise<void> {
    await this.domainBlocks.endFollows(accountId, domain);
  }

  /** Ends timed blocks and mutes. */
  @Recurs({ job: 'accounts.end-expired', everyMinutes: EVERY_MINUTES })
  async endExpired(): Promise<void> {
    await this.blocks.endExpired();
  }
}
