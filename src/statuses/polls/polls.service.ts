import { Injectable } from '@nestjs/common';
import { LOCAL, type Origin } from '../../accounts/index.js';
import { Forbidden, NotFound, unique, Unprocessable } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { Events, isBigintId, job, UnitOfWork } from '../../platform/index.js';
import { PollRepository, type PollRow } from './poll.repository.js';
import { PollClosed, PollVoted } from '../model/statuses.events.js';
import { actionOn, StatusesService } from '../core/statuses.service.js';
import { translateForeignKeyViolation } from '../model/vanished.js';

/** Tells of the end of a poll at the time its author chose. */
export const ClosePoll = job<{ statusId: string }>('polls.close', 'maintenance');

/** Polls: who may see one is who may see its post. */
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
    if (viewerId === undefined && this.anonymous.refusesSomePosts()) await this.statuses.visible(poll.status_id);
    return poll;
  }

  /**
   * Votes, once for all: choices are positions of options.
   * @throws Unprocessable when the account may not choose this; NotFound, Forbidden as for any deed on the post
   */
  async vote(id: string, accountId: string, choices: readonly number[], origin: Origin = LOCAL): Promise<void> {
    const poll = await this.visible(id, accountId);
    if (poll.is_blocked_by_author) throw new Forbidden();
    const chosen = unique(choices);
    const problem = problemOf(poll, accountId, chosen);
    if (problem !== undefined) throw new Unprocessable(problem);
    const unit = this.uow.run(async () => {
      if (!(await this.repository.vote(id, accountId, chosen))) throw new Unprocessable('Already voted');
      if (!(await this.repository.countVoter(id))) throw new Unprocessable('Poll has expired');
      const counted = await this.repository.countChoices(id, chosen);
      if (counted !== chosen.length) throw new Unprocessable('Invalid indices'); // the options were changed meanwhile
      this.events.emit(new PollVoted(id, chosen, actionOn(postOf(poll), accountId, origin)));
    });
    await translateForeignKeyViolation(unit);
  }

  /**
   * Counts the choice of a remote account, which comes as the title of one option at a time. Choices that its server may
   * not make are ignored, and so is one that is counted already.
   */
  async voteRemotely(statusId: string, accountId: string, title: string): Promise<void> {
    await this.uow.run(async () => {
      const vote = await this.repository.addChoice(statusId, accountId, title);
      if (!vote) return;
      if (vote.is_first) await this.repository.countVoter(vote.id);
      await this.repository.countChoices(vote.id, [vote.position]);
      const { id, author_id, local, position } = { ...vote, id: statusId };
      const action = actionOn({ id, author_id, local }, accountId, { kind: 'remote', uri: null });
      this.events.emit(new PollVoted(vote.id, [position], action));
    });
  }

  /** Lets posts of an earlier version be found by what their polls offer. */
  async countWords(): Promise<void> {
    while (await this.uow.run(() => this.repository.countWords()));
  }

  /** Tells of the end of a post's poll, once. Does nothing before it, such as after the end was put off. */
  async close(statusId: string): Promise<void> {
    await this.uow.run(async () => {
      if (await this.repository.close(statusId)) this.events.emit(new PollClosed(statusId));
    });
  }
}

function postOf({ status_id: id, author_id, local }: PollRow) {
  return { id, author_id, local };
}

function problemOf(poll: PollRow, accountId: string, chosen: readonly number[]): string | undefined {
  if (poll.author_id === accountId) return "Poll's author can't vote";
  if (poll.has_voted) return 'Already voted';
  if (poll.expired) return 'Poll has expired';
  if (!poll.multiple && chosen.length > 1) return 'Too many choices';
  return chosen.every((choice) => choice >= 0 && choice < poll.options) ? undefined : 'Invalid indices';
}
