import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/index.js';
import { StatusesModule } from '../statuses/index.js';
import { AccountStatusesController } from './account-statuses.controller.js';
import { AuthorFeedWriter } from './author-feed.writer.js';
import { DirectTimelineController } from './direct.controller.js';
import { HomeFeedRow } from './feed.entity.js';
import { FeedRepository } from './feed.repository.js';
import { FeedRepairRepository } from './feed-repair.repository.js';
import { FeedRepair } from './feed-repair.service.js';
import { FeedsService } from './feeds.service.js';
import { FeedsSubscriber } from './feeds.subscriber.js';
import { Filter, FilterKeyword, FilterStatus } from './filter.entities.js';
import { FilterRepository } from './filter.repository.js';
import { FilterPartsController, FiltersController } from './filters.controller.js';
import { FiltersService } from './filters.service.js';
import { KeptFilters } from './kept-filters.js';
import { OlderFiltersController } from './older-filters.controller.js';
import { TagFeedRepository } from './tag-feed.repository.js';
import { FollowedTag, HashtagDay } from './tag.entities.js';
import { TagRepository } from './tag.repository.js';
import { TagSweepRepository } from './tag-sweep.repository.js';
import { TagView } from './tag.view.js';
import { FollowedTagsController, TagsController } from './tags.controller.js';
import { TagsJob } from './tags.job.js';
import { TagsService } from './tags.service.js';
import { TimelinesController } from './timelines.controller.js';
import { TimelinesRepository } from './timelines.repository.js';
import { TimelinesErasureJobs } from './timelines-erasure.jobs.js';
import { TimelinesService } from './timelines.service.js';
import { TrendsController } from './trends/trends.controller.js';
import { TrendsRepository } from './trends/trends.repository.js';
import { TrendsService } from './trends/trends.service.js';

/** What is read, in which order: the home feed and the pages of the timelines. */
@Module({
  imports: [
    TypeOrmModule.forFeature([HomeFeedRow, Filter, FilterKeyword, FilterStatus, FollowedTag, HashtagDay]),
    AccountsModule,
    StatusesModule,
  ],
  controllers: [
    TimelinesController,
    DirectTimelineController,
    AccountStatusesController,
    FilterPartsController,
    FiltersController,
    OlderFiltersController,
    TagsController,
    FollowedTagsController,
    TrendsController,
  ],
  providers: [
    FeedRepair,
    FeedRepairRepository,
    FeedRepository,
    FeedsService,
    FeedsSubscriber,
    AuthorFeedWriter,
    FilterRepository,
    FiltersService,
    KeptFilters,
    TagFeedRepository,
    TagRepository,
    TagSweepRepository,
    TagsJob,
    TagsService,
    TagView,
    TimelinesErasureJobs,
    TimelinesRepository,
    TimelinesService,
    TrendsRepository,
    TrendsService,
  ],
  exports: [FeedRepair, FeedsService, TagView, TimelinesService],
})
export class TimelinesModule {}
