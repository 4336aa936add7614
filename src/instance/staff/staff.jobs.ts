import { Injectable } from '@nestjs/common';
import {
  AccountActivated,
  AccountCreated,
  AccountDeactivated,
  AccountUpdated,
  RolesChanged,
} from '../../accounts/index.js';
import { Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { STAFF_CHANGED } from '../model/instance.channels.js';

const isLocal = ({ local }: { readonly local: boolean }) => local;

/**
 * Watches changes of staff accounts, which may affect the public contact. Announces once more from a job process,
 * since operator commands have no bus.
 */
@Injectable()
export class StaffJobs {
  constructor(private readonly bus: Bus) {}

  @ListensAfterCommit(AccountCreated)
  onCreated(event: AccountCreated): void {
    this.announce(event);
  }

  @ListensAfterCommit(AccountUpdated)
  onUpdated(event: AccountUpdated): void {
    this.announce(event);
  }

  @Subscribes(RolesChanged, { job: 'instance.announce-roles', queue: 'stream' })
  onRoles(): void {
    this.bus.publish(STAFF_CHANGED, {});
  }

  @ListensAfterCommit(AccountActivated)
  @Subscribes(AccountActivated, { job: 'instance.announce-activated', queue: 'stream', when: isLocal })
  onActivated(event: AccountActivated): void {
    this.announce(event);
  }

  @ListensAfterCommit(AccountDeactivated)
  @Subscribes(AccountDeactivated, { job: 'instance.announce-deactivated', queue: 'stream', when: isLocal })
  onDeactivated(event: AccountDeactivated): void {
    this.announce(event);
  }

  private announce({ local }: { readonly local: boolean }): void {
    if (local) this.bus.publish(STAFF_CHANGED, {});
  }
}
