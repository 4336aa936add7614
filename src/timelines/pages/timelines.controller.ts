import { Get, Param } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  RateLimit,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { StatusShape, StatusView } from '../../statuses/index.js';
import { LinkTimelineQuery, PublicTimelineQuery, TagTimelineQuery, TimelineQuery } from './timelines.dto.js';
import { TimelinesService } from './timelines.service.js';

/** `/api/v1/timelines/…` (spec §4.3). */
@ClientApi('v1', 'timelines')
export class TimelinesController {
  constructor(
    private readonly timelines: TimelinesService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the posts of the accounts and hashtags that the caller follows, the latest first.')
  @Get('home')
  @Scopes('read:statuses')
  @RateLimit('timeline:home')
  @Answers([StatusShape])
  async home(@CurrentAccount() readerId: string, @Input(TimelineQuery) query: TimelineQuery): Promise<Page<Json>> {
    const rows = await this.timelines.home(readerId, query, query.filter());
    return this.view.page(rows, query, { viewerId: readerId, withMuted: query.with_muted ?? false, place: 'home' });
  }

  @Summary('Lists the public posts that this server knows, the latest first.')
  @Get('public')
  @OptionalAuth('read:statuses')
  @RateLimit('timeline:public')
  @Answers([StatusShape])
  async public(
    @ViewerId() viewerId: string | undefined,
    @Input(PublicTimelineQuery) query: PublicTimelineQuery,
  ): Promise<Page<Json>> {
    const rows = await this.timelines.public(viewerId, query, query.filter(), query.instance);
    return this.view.page(rows, query, { viewerId, withMuted: query.with_muted ?? false, place: 'public' });
  }

  @Summary('Lists the public posts with a hashtag, the latest first; none if it is unknown.')
  @Get('tag/:hashtag')
  @OptionalAuth('read:statuses')
  @RateLimit('timeline:tag')
  @Answers([StatusShape])
  async tag(
    @Param('hashtag') name: string,
    @ViewerId() viewerId: string | undefined,
    @Input(TagTimelineQuery) query: TagTimelineQuery,
  ): Promise<Page<Json>> {
    const rows = await this.timelines.tagged(viewerId, query, query.filter(), query.choice(name));
    return this.view.page(rows, query, { viewerId, withMuted: query.with_muted ?? false, place: 'public' });
  }

  @Summary('Lists the public posts that show the preview card of a page, the latest first.')
  @Get('link')
  @OptionalAuth('read:statuses')
  @RateLimit('timeline:public')
  @Answers([StatusShape])
  async link(
    @ViewerId() viewerId: string | undefined,
    @Input(LinkTimelineQuery) query: LinkTimelineQuery,
  ): Promise<Page<Json>> {
    const rows = await this.timelines.linking(viewerId, query, query.filter(), query.url);
    return this.view.page(rows, query, { viewerId, withMuted: query.with_muted ?? false, place: 'public' });
  }

  @Summary('Lists the posts of the members of a list, the latest first.')
  @Get('list/:list_id')
  @Scopes('read:lists')
  @RateLimit('timeline:list')
  @Answers([StatusShape])
  async list(
    @Param('list_id') listId: string,
    @CurrentAccount() readerId: string,
    @Input(TimelineQuery) query: TimelineQuery,
  ): Promise<Page<Json>> {
    const rows = await this.timelines.list(readerId, listId, query, query.filter());
    return this.view.page(rows, query, { viewerId: readerId, withMuted: query.with_muted ?? false, place: 'home' });
  }
}
