import { Injectable } from '@nestjs/common';
import { AccountActivated } from '../accounts/index.js';
import { AttachmentDescribed } from '../media/index.js';
import { Handles, type Outcome, Recurs, Subscribes } from '../platform/index.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { GroupReblogsService } from './interactions/group-reblogs.service.js';
import { ExpireStatus } from './model/expiry.js';
import { GroupAddressed } from './model/statuses.events.js';
import { ClosePoll, PollsService } from './polls/polls.service.js';
import { PublishScheduled, ScheduledService } from './scheduled/scheduled.service.js';
import { StatusesService } from './core/statuses.service.js';
import { ThreadMutesService } from './interactions/thread-mutes.service.js';

const DAILY = 24 * 60;

/** Scheduled and recurring work on statuses. */
@Injectable()
export class StatusJobs {
  constructor(
    private readonly statuses: StatusesService,
    private readonly polls: PollsService,
    private readonly scheduled: ScheduledService,
    private readonly groups: GroupReblogsService,
    private readonly mutes: ThreadMutesService,
    private readonly conversations: ConversationsService,
  ) {}

  @Handles(ExpireStatus)
  async expire({ statusId }: { statusId: string }): Promise<void> {
    await this.statuses.expire(statusId);
  }

  @Handles(ClosePoll)
  async closePoll({ statusId }: { statusId: string }): Promise<void> {
    await this.polls.close(statusId);
  }

  @Handles(PublishScheduled)
  publishScheduled({ scheduledId }: { scheduledId: string }): Promise<Outcome> {
    return this.scheduled.post(scheduledId);
  }

  @Subscribes(GroupAddressed, { job: 'statuses.boost-as-group', queue: 'fanout' })
  async onGroupAddressed({ statusId, groupIds }: GroupAddressed): Promise<void> {
    await this.groups.reblog(statusId, groupIds);
  }

  @Subscribes(AttachmentDescribed, { job: 'statuses.refresh', queue: 'fanout' })
  async onAttachmentDescribed({ statusId }: AttachmentDescribed): Promise<void> {
    await this.statuses.refresh(statusId);
  }

  @Subscribes(AccountActivated, {
    job: 'statuses.resume-scheduled',
    queue: 'maintenance',
    when: ({ local }) => local,
  })
  async resumeScheduled({ accountId }: AccountActivated): Promise<void> {
    await this.scheduled.resume(accountId);
  }

  @Recurs({ job: 'polls.count-words', everyMinutes: 10 })
  async countWordsOfPolls(): Promise<void> {
    await this.polls.countWords();
  }

  @Recurs({ job: 'statuses.purge-tombstones', everyMinutes: DAILY })
  async purgeTombstones(): Promise<void> {
    await this.statuses.purgeTombstones();
  }

  @Recurs({ job: 'statuses.purge-thread-mutes', everyMinutes: DAILY })
  async purgeThreadMutes(): Promise<void> {
    await this.mutes.purge();
  }

  @Recurs({ job: 'conversations.sweep', everyMinutes: DAILY })
  async sweepConversations(): Promise<void> {
    await this.conversations.sweep();
  }
}
