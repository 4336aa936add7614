import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { Handles, Recurs } from '../../platform/index.js';
import {
  FollowersSynchronizationService,
  type SignedFollowers,
  SynchronizeFollowers,
} from './followers-synchronization.service.js';
import { AskForHost, InboxAskingService } from './inbox-asking.service.js';
import { DrainInbox, InboxDrainService } from './inbox-drain.service.js';

const DAILY = 24 * 60;

/** Drains the queue of received activities. */
@Injectable()
export class InboxDrainJobs {
  constructor(
    private readonly inbox: InboxDrainService,
    private readonly asking: InboxAskingService,
    private readonly followers: FollowersSynchronizationService,
    private readonly settings: Settings,
  ) {}

  @Handles(DrainInbox)
  async drain(): Promise<void> {
    if (this.isClosed()) return;
    await this.inbox.drain();
  }

  @Handles(AskForHost)
  async ask({ host }: { host: string }): Promise<void> {
    if (this.isClosed()) return;
    await this.asking.work(host);
  }

  @Handles(SynchronizeFollowers)
  async synchronize(claim: SignedFollowers): Promise<void> {
    await this.followers.synchronize(claim);
  }

  @Recurs({ job: 'inbox.purge-seen', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.inbox.purgeSeen();
  }

  /** Finds what is due again, and what a process left that died after it had received it. */
  @Recurs({ job: 'inbox.wake', everyMinutes: 1 })
  async resume(): Promise<void> {
    if (this.isClosed()) return;
    await this.inbox.resume();
    await this.asking.resume();
  }

  /** What was received waits while this server does not federate: much of it asks other servers. */
  private isClosed(): boolean {
    return !this.settings.get('instance.federating');
  }
}
