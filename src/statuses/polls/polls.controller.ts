import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  RateLimit,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { PollView } from './poll.view.js';
import { VoteBody } from './polls.dto.js';
import { PollsService } from './polls.service.js';
import { PollShape } from '../rendering/poll.shape.js';

/** `/api/v1/polls` (reference). */
@ClientApi('v1', 'polls')
export class PollsController {
  constructor(
    private readonly polls: PollsService,
    private readonly view: PollView,
  ) {}

  @Summary("Shows one poll, with the caller's votes.")
  @Get(':id')
  @OptionalAuth('read:statuses')
  @Answers(PollShape)
  async one(@ViewerId() viewerId: string | undefined, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.polls.read(id, viewerId), viewerId);
  }

  @Summary('Votes in a poll, once.')
  @Post(':id/votes')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  @Answers(PollShape)
  async vote(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(VoteBody) input: VoteBody,
  ): Promise<Json> {
    await this.polls.vote(id, accountId, input.wanted());
    return this.view.one(await this.polls.visible(id, accountId), accountId);
  }
}
