import { Delete, Get, Param, Put } from '@nestjs/common';
import { AccountView } from '../../accounts/index.js';
import {
  Answers,
  CurrentAccount,
  inOrder,
  Input,
  Json,
  OptionalAuth,
  RateLimit,
  Scopes,
  Summary,
  SvcApi,
  unique,
  ViewerId,
} from '../../common/index.js';
import type { ReactionRow } from '../rendering/reaction.render.js';
import { ReactionShape } from '../rendering/reaction.shape.js';
import { ReactionsService } from './reactions.service.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';
import { StatusQuery } from '../core/status.dto.js';

/** `C/statuses/:id/reactions` (spec §4.2). */
@SvcApi('statuses/:id/reactions')
export class ReactionsController {
  constructor(
    private readonly reactions: ReactionsService,
    private readonly accounts: AccountView,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the reactions to a post by emoji, with the accounts behind them.')
  @Get()
  @OptionalAuth('read:statuses')
  @Answers([ReactionShape])
  async list(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Input(StatusQuery) { with_muted: withMuted }: StatusQuery,
  ): Promise<Json[]> {
    return this.rendered(await this.reactions.of(id, viewerId, withMuted), viewerId);
  }

  @Summary('Lists the reactions to a post with one emoji.')
  @Get(':emoji')
  @OptionalAuth('read:statuses')
  @Answers([ReactionShape])
  async one(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Param('emoji') emoji: string,
    @Input(StatusQuery) { with_muted: withMuted }: StatusQuery,
  ): Promise<Json[]> {
    return this.rendered(await this.reactions.of(id, viewerId, withMuted, emoji), viewerId);
  }

  @Summary('Reacts to a post with an emoji.')
  @Put(':emoji')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  @Answers(PlainStatusShape)
  async add(@CurrentAccount() viewerId: string, @Param('id') id: string, @Param('emoji') emoji: string): Promise<Json> {
    return this.view.one(await this.reactions.add(id, viewerId, emoji), { viewerId });
  }

  @Summary("Removes the caller's reaction to a post.")
  @Delete(':emoji')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  @Answers(PlainStatusShape)
  async remove(
    @CurrentAccount() viewerId: string,
    @Param('id') id: string,
    @Param('emoji') emoji: string,
  ): Promise<Json> {
    const { statusId } = await this.reactions.remove(id, viewerId, emoji);
    return this.view.one(statusId, { viewerId });
  }

  private async rendered(rows: readonly ReactionRow[], viewerId: string | undefined): Promise<Json[]> {
    const people = await this.accounts.many(unique(rows.flatMap((row) => row.accountIds)), { viewerId });
    return rows.map(({ name, count, me, url, accountIds: ids }) =>
      Json.object({ name, count, me, url, accounts: inOrder(ids, people) }),
    );
  }
}
