import { Injectable } from '@nestjs/common';
import { AccountActivated, LOCAL, type Origin } from '../../accounts/index.js';
import {
  Forbidden,
  NotFound,
  type Reason,
  translateForeignKeyViolation,
  unique,
  Unprocessable,
} from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import {
  Events,
  Handles,
  isBigintId,
  job,
  Recurs,
  Subscribes,
  UnitOfWork,
  repeatSlices,
} from '../../platform/index.js';
import { PollRepository, type PollRow } from './poll.repository.js';
import { PollClosed, PollOutdated, PollVoted } from '../model/statuses.events.js';
import { actionOn, StatusesService } from '../core/statuses.service.js';

/** Announces the end of a poll at the time its author chose. */
export const ClosePoll = job<{ statusId: string }>('polls.close', 'timed');

/** Manages polls. A viewer may see a poll if the viewer may see its post. */
@Injectable()
export class PollsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly repository: PollRepository,
    private readonly statuses: StatusesService,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /** @throws NotFound also when the viewer may not see its post */
  async visible(id: string, viewerId?: string): Promise<PollRow> {
    const poll = isBigintId(id) ? await this.repository.visible(id, viewerId ?? '') : undefined;
    if (!poll) throw new NotFound();
    if (viewerId === undefined && this.anonymous.refusesSomeStatuses()) await this.statuses.visible(poll.statusId);
    return poll;
  }

  /** Like {@link visible}, for a viewer who looks at the poll: a job fetches outdated counts from its server. */
  async read(id: string, viewerId: string | undefined): Promise<PollRow> {
    const poll = await this.visible(id, viewerId);
    if (poll.isOutdated && viewerId !== undefined) await this.refresh(id);
    return poll;
  }

  /** Lets a job fetch the counts of a remote poll from its server, if they are outdated. */
  async refresh(id: string): Promise<void> {
    await this.uow.run(async () => {
      const uri = await this.repository.refresh(id);
      if (uri !== undefined) this.events.emit(new PollOutdated(uri));
    });
  }

  /**
   * Votes. Choices are positions of options; a vote cannot be changed.
   * @throws Unprocessable for invalid choices, and when the account may not vote; NotFound, Forbidden as for any action
   * on the post
   */
  async vote(id: string, accountId: string, choices: readonly number[], origin: Origin = LOCAL): Promise<void> {
    const poll = await this.visible(id, accountId);
    if (poll.isBlocked) throw new Forbidden();
    const chosen = unique(choices);
    const problem = problemOf(poll, accountId, chosen);
    if (problem !== undefined) throw new Unprocessable(problem);
    const unit = this.uow.run(async () => {
      if (!(await this.repository.vote(id, accountId, chosen))) throw new Unprocessable('Already voted');
      if (!(await this.repository.countVoter(id))) throw new Unprocessable('Poll has expired');
      const counted = await this.repository.countChoices(id, chosen);
      if (counted !== chosen.length) throw new Unprocessable('Invalid indices'); // the options changed meanwhile
      this.events.emit(new PollVoted(id, chosen, actionOn(postOf(poll), accountId, origin)));
    });
    await translateForeignKeyViolation(unit);
  }

  /**
   * Counts a choice of a remote account. Choices arrive one at a time, as the title of the option. Ignores choices that
   * the account may not make, and choices that are already counted.
   */
  async voteRemotely(statusId: string, accountId: string, title: string): Promise<void> {
    await this.uow.run(async () => {
      const vote = await this.repository.addChoice(statusId, accountId, title);
      if (!vote) return;
      if (vote.isFirst) await this.repository.countVoter(vote.id);
      await this.repository.countChoices(vote.id, [vote.position]);
      const { id, authorId, local, position } = { ...vote, id: statusId };
      const action = actionOn({ id, authorId, local }, accountId, { kind: 'remote', uri: null });
      this.events.emit(new PollVoted(vote.id, [position], action));
    });
  }

  /** Adds the options of polls from earlier releases to the search index. */
  @Recurs({ job: 'polls.count-words', everyMinutes: 10 })
  async countWords(): Promise<void> {
    await repeatSlices(() => this.uow.run(() => this.repository.countWords()));
  }

  /**
   * Announces the end of a post's poll, once. Does nothing before the end, for example when the end was postponed. The polls of a
   * deactivated author, of which nobody would be told, wait for {@link resume}.
   */
  @Handles(ClosePoll)
  async close({ statusId }: { statusId: string }): Promise<void> {
    await this.uow.run(async () => {
      const closed = await this.repository.close(statusId);
      if (closed) this.events.emit(new PollClosed(statusId, closed.local, closed.visibility));
    });
  }

  /** Announces the end of a poll once more for an author that was deactivated before anybody was told, once it is activated. */
  async postponeEnd(statusId: string): Promise<void> {
    await this.uow.run(() => this.repository.postponeEnd(statusId));
  }

  /** Announces the ends that passed while the author was deactivated. */
  @Subscribes(AccountActivated, { job: 'polls.close-late', queue: 'maintenance' })
  async resume({ accountId }: AccountActivated): Promise<void> {
    for (const statusId of await this.repository.overdue(accountId)) await this.close({ statusId });
  }
}

function postOf({ statusId: id, authorId, local }: PollRow) {
  return { id, authorId, local };
}

function problemOf(poll: PollRow, accountId: string, chosen: readonly number[]): Reason | undefined {
  if (poll.authorId === accountId) return "Poll's author can't vote";
  if (poll.hasVoted) return 'Already voted';
  if (poll.expired) return 'Poll has expired';
  if (!poll.multiple && chosen.length > 1) return 'Too many choices';
  return chosen.every((choice) => choice >= 0 && choice < poll.options) ? undefined : 'Invalid indices';
}
