import { Injectable } from '@nestjs/common';
import { Invalid } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { OwnerLocks, UnitOfWork } from '../../platform/index.js';
import { EndorsementRepository } from './endorsement.repository.js';

/** Accounts that an account recommends on its profile (spec §4.3); older apps call it a pin. */
@Injectable()
export class EndorsementsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly endorsements: EndorsementRepository,
    private readonly settings: Settings,
  ) {}

  /**
   * Endorses a followee until the follow ends. Endorsing again changes nothing.
   * @throws Invalid without a follow, and beyond the number that the settings allow
   */
  async endorse(accountId: string, targetId: string): Promise<void> {
    const max = this.settings.get('instance.max_endorsed_users');
    const { follows, endorsed } = await this.uow.run(async () => {
      await this.locks.lock('endorsements', accountId);
      return this.endorsements.add(accountId, targetId, max);
    });
    if (!follows) throw new Invalid('You have to follow whom you endorse');
    if (!endorsed) throw new Invalid('You have already pinned the maximum number of users');
  }

  /** Takes an endorsement back. Nothing happens when there is none. */
  async unendorse(accountId: string, targetId: string): Promise<void> {
    await this.endorsements.remove(accountId, targetId);
  }
}
