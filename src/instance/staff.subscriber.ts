import { Injectable } from '@nestjs/common';
import { AccountActivated, AccountCreated, AccountDeactivated, AccountUpdated } from '../accounts/index.js';
import { Bus, ListensAfterCommit } from '../platform/index.js';
import { STAFF_CHANGED } from './instance.channels.js';

/** Hears of changed people here: one of them may be, or have become, the contact that the server shows. */
@Injectable()
export class StaffSubscriber {
  constructor(private readonly bus: Bus) {}

  @ListensAfterCommit(AccountCreated)
  onCreated(event: AccountCreated): void {
    this.announce(event);
  }

  @ListensAfterCommit(AccountUpdated)
  onUpdated(event: AccountUpdated): void {
    this.announce(event);
  }

  @ListensAfterCommit(AccountActivated)
  onActivated(event: AccountActivated): void {
    this.announce(event);
  }

  @ListensAfterCommit(AccountDeactivated)
  onDeactivated(event: AccountDeactivated): void {
    this.announce(event);
  }

  private announce({ local }: { readonly local: boolean }): void {
    if (local) this.bus.publish(STAFF_CHANGED, {});
  }
}
