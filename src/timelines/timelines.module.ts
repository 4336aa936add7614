import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { StatusesModule } from '../statuses/index.js';
import { AccountStatusesController } from './pages/account-statuses.controller.js';
import { AuthorFeedWriter } from './feeds/author-feed.writer.js';
import { DirectTimelineController } from './pages/direct.controller.js';
import { FeedRepository } from './feeds/feed.repository.js';
import { FeedRepairRepository } from './feeds/feed-repair.repository.js';
import { FeedRepairService } from './feeds/feed-repair.service.js';
import { FeedsService } from './feeds/feeds.service.js';
import { FeedsJobs } from './feeds/feeds.jobs.js';
import { FilterRepository } from './filters/filter.repository.js';
import { FilterPartsController, FiltersController } from './filters/filters.controller.js';
import { FiltersService } from './filters/filters.service.js';
import { FilterCache } from './filters/filter-cache.js';
import { FiltersV1Controller } from './filters/filters-v1.controller.js';
import { TagFeedRepository } from './feeds/tag-feed.repository.js';
import { TagRepository } from './tags/tag.repository.js';
import { TagSweepRepository } from './tags/tag-sweep.repository.js';
import { TagView } from './tags/tag.view.js';
import { FollowedTagsController, TagsController } from './tags/tags.controller.js';
import { TagsService } from './tags/tags.service.js';
import { TimelinesController } from './pages/timelines.controller.js';
import { TimelinesRepository } from './pages/timelines.repository.js';
import { TimelinesService } from './pages/timelines.service.js';
import { TrendsController } from './trends/trends.controller.js';
import { TrendsRepository } from './trends/trends.repository.js';
import { TrendsService } from './trends/trends.service.js';

/** Home feeds, timelines, hashtags, filters and trends. */
@Module({
  imports: [AccountsModule, StatusesModule],
  controllers: [
    TimelinesController,
    DirectTimelineController,
    AccountStatusesController,
    FilterPartsController,
    FiltersController,
    FiltersV1Controller,
    TagsController,
    FollowedTagsController,
    TrendsController,
  ],
  providers: [
    FeedRepairService,
    FeedRepairRepository,
    FeedRepository,
    FeedsService,
    FeedsJobs,
    AuthorFeedWriter,
    FilterRepository,
    FiltersService,
    FilterCache,
    TagFeedRepository,
    TagRepository,
    TagSweepRepository,
    TagsService,
    TagView,
    TimelinesRepository,
    TimelinesService,
    TrendsRepository,
    TrendsService,
  ],
  exports: [FeedRepairService, FeedsService, FiltersService, TagView, TagsService, TimelinesService, TrendsService],
})
export class TimelinesModule {}
