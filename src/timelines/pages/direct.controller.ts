import { Get } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  type Page,
  RateLimit,
  Scopes,
  Summary,
} from '../../common/index.js';
import { StatusShape, StatusView } from '../../statuses/index.js';
import { TimelineQuery } from './timelines.dto.js';
import { TimelinesService } from './timelines.service.js';

/** `/api/v1/timelines/direct`: direct posts one by one. Newer apps read conversations instead. */
@ClientApi('v1', 'timelines/direct')
export class DirectTimelineController {
  constructor(
    private readonly timelines: TimelinesService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists direct messages one by one, the latest first.', { deprecated: true })
  @Get()
  @Scopes('read:statuses')
  @RateLimit('timeline:direct')
  @Answers([StatusShape])
  async direct(@CurrentAccount() readerId: string, @Input(TimelineQuery) query: TimelineQuery): Promise<Page<Json>> {
    const rows = await this.timelines.direct(readerId, query, query.filter());
    return this.view.page(rows, query, { viewerId: readerId, withMuted: query.with_muted ?? false, place: 'home' });
  }
}
