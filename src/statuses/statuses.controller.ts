import { Delete, Get, Headers, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  type Auth,
  checkedKey,
  ClientApi,
  CurrentAccount,
  CurrentAuth,
  Input,
  IsReferenceApp,
  Json,
  OptionalAuth,
  RateLimit,
  Scopes,
  Summary,
  writeKeyHeaders,
  ViewerId,
} from '../common/index.js';
import { StatusPreviewView } from './compose/status-preview.view.js';
import { ComposeService } from './compose/compose.service.js';
import { PollsService } from './polls/polls.service.js';
import { ScheduledService } from './scheduled/scheduled.service.js';
import { ScheduledView } from './scheduled/scheduled.view.js';
import { StaffStatusesService } from './moderation/staff-statuses.service.js';
import { StatusView } from './rendering/status.view.js';
import { StatusQuery } from './core/status.dto.js';
import { ComposeBody, DeleteStatusQuery, StatusesQuery } from './statuses.dto.js';
import { StatusesService } from './core/statuses.service.js';
import { ThreadsService } from './core/threads.service.js';
import { ContextShape, StatusShape, StatusSourceShape } from './rendering/status.shape.js';
import { PostedOrScheduledShape } from './scheduled/scheduled.shape.js';

/** `/api/v1/statuses`: creates, shows and deletes posts (spec §4.3). */
@ClientApi('v1', 'statuses')
export class StatusesController {
  constructor(
    private readonly compose: ComposeService,
    private readonly statuses: StatusesService,
    private readonly threads: ThreadsService,
    private readonly view: StatusView,
    private readonly previews: StatusPreviewView,
    private readonly polls: PollsService,
    private readonly scheduled: ScheduledService,
    private readonly scheduledView: ScheduledView,
    private readonly staff: StaffStatusesService,
  ) {}

  @Summary('Lists the posts with the given ids that the caller may see.')
  @Get()
  @OptionalAuth('read:statuses')
  @Answers([StatusShape])
  list(@ViewerId() viewerId: string | undefined, @Input(StatusesQuery) query: StatusesQuery): Promise<Json[]> {
    return this.view.byIds(query.wanted(), { viewerId, withMuted: query.with_muted ?? false });
  }

  @Summary('Publishes a post, schedules it, or shows a preview of it.')
  @Post()
  @Scopes('write:statuses')
  @RateLimit('statuses_actions', 'posts')
  @Answers(PostedOrScheduledShape)
  async create(
    @CurrentAccount() accountId: string,
    @CurrentAuth() auth: Auth | undefined,
    @IsReferenceApp() isReferenceApp: boolean,
    @Input(ComposeBody) input: ComposeBody,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Json> {
    const origin = { kind: 'local', appId: auth?.appId ?? null } as const;
    const context = { viewerId: accountId };
    const options = { ...input.options(), ...(isReferenceApp && { isReferenceApp }) };
    if (input.preview) return this.previews.render(await this.compose.preview(accountId, options, origin), context);
    const key = checkedKey(idempotencyKey);
    if (input.scheduled_at) {
      const { id, replayed } = await this.scheduled.schedule(accountId, options, origin, input.scheduled_at, key);
      writeKeyHeaders(response, key, replayed);
      const found = await this.scheduled.oneOrPublished(id, accountId);
      return typeof found === 'string' ? this.view.one(found, context) : this.scheduledView.one(found);
    }
    const { statusId, entry } = await this.compose.create(accountId, options, origin, key);
    writeKeyHeaders(response, key, entry === undefined);
    return entry ? this.view.ofNew(entry, context) : this.view.one(statusId, context);
  }

  @Summary('Shows one post.')
  @Get(':id')
  @OptionalAuth('read:statuses')
  @Answers(StatusShape)
  async one(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Input(StatusQuery) query: StatusQuery,
  ): Promise<Json> {
    const { json, recountable } = await this.view.findVisible(id, { viewerId, withMuted: query.with_muted ?? false });
    if (viewerId !== undefined && recountable && recountable.outdatedAt <= new Date())
      await this.polls.refresh(recountable.id);
    return json;
  }

  /** The staff deletes posts of others too, with the rights that the administrative route asks for (spec §4.1.4). */
  @Summary('Deletes a post of the caller and returns its source text; moderators delete others too.')
  @Delete(':id')
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  @Answers(StatusShape)
  async delete(
    @CurrentAccount() accountId: string,
    @CurrentAuth() auth: Auth,
    @Param('id') id: string,
    @Input(DeleteStatusQuery) { delete_media: removesMedia }: DeleteStatusQuery,
  ): Promise<Json> {
    if (await this.staff.deletesAsStaff(auth, id)) {
      const shown = await this.view.withSource(id, null, { viewerId: accountId });
      await this.staff.delete(auth, id);
      return shown;
    }
    const { text, contentType } = await this.statuses.source(id, accountId);
    const source = text === null ? null : { text, contentType };
    const status = await this.view.withSource(id, source, { viewerId: accountId });
    await this.statuses.delete(id, accountId, { removesMedia });
    return status;
  }

  @Summary('Shows the thread of a post: the posts it replies to, and the replies.')
  @Get(':id/context')
  @OptionalAuth('read:statuses')
  @Answers(ContextShape)
  async context(@ViewerId() viewerId: string | undefined, @Param('id') id: string): Promise<Json> {
    return this.view.thread(await this.threads.around(id, viewerId), { viewerId });
  }

  @Summary('Shows the text of a post of the caller as it was typed.')
  @Get(':id/source')
  @Scopes('read:statuses')
  @Answers(StatusSourceShape)
  async source(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    const source = await this.statuses.source(id, accountId);
    return Json.of({
      id: source.id,
      text: source.text ?? '',
      spoiler_text: source.spoiler,
      content_type: source.contentType,
    });
  }
}
