import { Get } from '@nestjs/common';
import {
  Answers,
  AnythingShape,
  ClientApi,
  Input,
  type Json,
  OptionalAuth,
  PageLimit,
  PageOffset,
  RateLimit,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { StatusShape, StatusView } from '../../statuses/index.js';
import { TagShape } from '../tags/tag.shape.js';
import { TagView } from '../tags/tag.view.js';
import { TrendsService } from './trends.service.js';

class TagTrendsQuery {
  @PageLimit()
  limit = 10;
  @PageOffset()
  offset = 0;
}

class StatusTrendsQuery {
  @PageLimit()
  limit = 20;
  @PageOffset()
  offset = 0;
}

/** `/api/v1/trends` (reference). */
@ClientApi('v1', 'trends')
export class TrendsController {
  constructor(
    private readonly trends: TrendsService,
    private readonly tagView: TagView,
    private readonly statusView: StatusView,
  ) {}

  @Summary('Lists the hashtags that are used the most at present.')
  @Get(['', 'tags'])
  @OptionalAuth()
  @Answers([TagShape])
  async tags(@ViewerId() viewerId: string | undefined, @Input(TagTrendsQuery) query: TagTrendsQuery): Promise<Json[]> {
    return this.tagView.many(await this.trends.tags(viewerId, query), viewerId);
  }

  @Summary('Lists the posts that are popular at present.')
  @Get('statuses')
  @OptionalAuth('read:statuses')
  @RateLimit('timeline:public')
  @Answers([StatusShape])
  async statuses(
    @ViewerId() viewerId: string | undefined,
    @Input(StatusTrendsQuery) query: StatusTrendsQuery,
  ): Promise<Json[]> {
    return this.statusView.many(await this.trends.statuses(viewerId, query), { viewerId, place: 'public' });
  }

  @Summary('Lists trending links: always none, since links are not counted.')
  @Get('links')
  @OptionalAuth()
  @Answers([AnythingShape])
  links(): [] {
    return [];
  }
}
