import { Get } from '@nestjs/common';
import {
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  RateLimit,
  Scopes,
  ViewerId,
} from '../common/index.js';
import { StatusView } from '../statuses/index.js';
import { timelinePage } from './timeline-page.js';
import { PublicTimelineQuery, TimelineQuery } from './timelines.dto.js';
import { TimelinesService } from './timelines.service.js';

/** `/api/v1/timelines/…` (spec §4.3). */
@ClientApi('v1', 'timelines')
export class TimelinesController {
  constructor(
    private readonly timelines: TimelinesService,
    private readonly view: StatusView,
  ) {}

  @Get('home')
  @Scopes('read:statuses')
  @RateLimit('timeline:home')
  async home(@CurrentAccount() readerId: string, @Input(TimelineQuery) query: TimelineQuery): Promise<Page<Json>> {
    const rows = await this.timelines.home(readerId, query, query.filter());
    return timelinePage(rows, this.view, { viewerId: readerId, withMuted: query.with_muted ?? false, place: 'home' });
  }

  @Get('public')
  @OptionalAuth('read:statuses')
  @RateLimit('timeline:public')
  async public(
    @ViewerId() viewerId: string | undefined,
    @Input(PublicTimelineQuery) query: PublicTimelineQuery,
  ): Promise<Page<Json>> {
    const rows = await this.timelines.public(viewerId, query, query.filter(), query.instance);
    return timelinePage(rows, this.view, { viewerId, withMuted: query.with_muted ?? false, place: 'public' });
  }
}
