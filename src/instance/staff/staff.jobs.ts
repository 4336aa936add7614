import { Injectable } from '@nestjs/common';
import {
  AccountActivated,
  AccountCreated,
  AccountDeactivated,
  AccountUpdated,
  RolesChanged,
} from '../../accounts/index.js';
import { Broadcasts, Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { STAFF_CHANGED } from '../model/instance.channels.js';

const isLocal = ({ local }: { readonly local: boolean }) => local;

/**
 * Watches changes of staff accounts, which may affect the public contact. Announces once more from a job process,
 * since operator commands have no bus.
 */
@Injectable()
export class StaffJobs {
  constructor(
    private readonly bus: Bus,
    private readonly broadcasts: Broadcasts,
  ) {}

  @ListensAfterCommit(AccountCreated)
  @ListensAfterCommit(AccountUpdated)
  onChanged({ local }: AccountCreated | AccountUpdated): void {
    if (local) this.bus.publish(STAFF_CHANGED, {}); // too many for all connections of PostgreSQL
  }

  @Subscribes(RolesChanged, { job: 'instance.announce-roles', queue: 'stream' })
  onRoles(): Promise<void> {
    return this.broadcasts.send(STAFF_CHANGED);
  }

  @ListensAfterCommit(AccountActivated)
  @Subscribes(AccountActivated, { job: 'instance.announce-activated', queue: 'stream', when: isLocal })
  onActivated(event: AccountActivated): Promise<void> {
    return this.announce(event);
  }

  @ListensAfterCommit(AccountDeactivated)
  @Subscribes(AccountDeactivated, { job: 'instance.announce-deactivated', queue: 'stream', when: isLocal })
  onDeactivated(event: AccountDeactivated): Promise<void> {
    return this.announce(event);
  }

  private async announce({ local }: { readonly local: boolean }): Promise<void> {
    if (local) await this.broadcasts.send(STAFF_CHANGED);
  }
}
