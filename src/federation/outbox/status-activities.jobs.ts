import { Injectable } from '@nestjs/common';
import { job, Handles, Jobs, Subscribes, UnitOfWork } from '../../platform/index.js';
import {
  LOCAL_ONLY,
  PollVoted,
  QuoteChanged,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '../../statuses/index.js';
import { StatusActivitiesService } from './status-activities.service.js';

interface StatusRef {
  readonly local: boolean;
  readonly visibility: number;
}

const isOurs = ({ local, visibility }: StatusRef) => local && !LOCAL_ONLY.includes(visibility);

/** Sends the new counts of a local poll. */
const SendPollCounts = job<{ statusId: string }>('federation.send-poll-counts', 'federate');
const COUNTS_AFTER_MS = 60_000;

/** Tells other servers of posts and boosts. */
@Injectable()
export class StatusActivitiesJobs {
  constructor(
    private readonly posts: StatusActivitiesService,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  @Subscribes(StatusCreated, { job: 'federation.send-created', queue: 'federate', when: isOurs })
  async onCreated({ statusId, reblogOfId }: StatusCreated): Promise<void> {
    if (reblogOfId === null) await this.posts.sendCreated(statusId);
    else await this.posts.sendReblog(statusId);
  }

  @Subscribes(StatusEdited, { job: 'federation.send-edited', queue: 'federate', when: isOurs })
  async onEdited({ statusId }: StatusEdited): Promise<void> {
    await this.posts.sendEdited(statusId);
  }

  @Subscribes(QuoteChanged, { job: 'federation.send-quote', queue: 'federate', when: isOurs })
  async onQuoteChanged({ statusId }: QuoteChanged): Promise<void> {
    await this.posts.sendEdited(statusId);
  }

  @Subscribes(StatusDeleted, { job: 'federation.send-deleted', queue: 'federate', when: isOurs })
  async onDeleted(event: StatusDeleted): Promise<void> {
    if (event.reblogOfId === null) await this.posts.sendDeleted(event);
    else await this.posts.undoReblog(event);
  }

  /** Followers elsewhere see the counts too: now and then, however many vote. Also votes from here change them. */
  @Subscribes(PollVoted, {
    job: 'federation.count-votes',
    queue: 'federate',
    when: ({ targetLocal }: PollVoted) => targetLocal,
  })
  async onVoted({ statusId }: PollVoted): Promise<void> {
    const options = { key: `poll-counts:${statusId}`, runAt: new Date(Date.now() + COUNTS_AFTER_MS) };
    await this.uow.run(() => {
      this.jobs.enqueue(SendPollCounts, { statusId }, options);
    });
  }

  @Handles(SendPollCounts)
  async sendCounts({ statusId }: { statusId: string }): Promise<void> {
    await this.posts.sendPollCounts(statusId);
  }
}
