export { HomeFeedRow } from './feeds/feed.entity.js';
export { Filter, FilterKeyword, FilterStatus } from './filters/filter.entities.js';
export {
  FilterKeywordShape,
  FilterShape,
  FilterStatusShape,
  FilterV1Shape,
  type FilterJson,
  type FilterKeywordJson,
  type FilterStatusJson,
  type FilterV1Json,
} from './filters/filter.shape.js';
export { filterView } from './filters/filter.view.js';
export { FilterChangesBody, KeywordAttributesBody, NewFilterBody } from './filters/filters.dto.js';
export { FiltersService } from './filters/filters.service.js';
export { FiltersChanged } from './filters/filters.events.js';
export { FeedRepairService } from './feeds/feed-repair.service.js';
export { FeedsService } from './feeds/feeds.service.js';
export { REMEMBERED } from './pages/home.sql.js';
export { matchesRepliesPolicy } from './pages/list.sql.js';
export { FollowedTag, HashtagDay } from './tags/tag.entities.js';
export { type TagJson, TagShape } from './tags/tag.shape.js';
export { TagView } from './tags/tag.view.js';
export { TagsService } from './tags/tags.service.js';
export { TimelinesModule } from './timelines.module.js';
export { TimelinesService } from './pages/timelines.service.js';
export { TrendsService } from './trends/trends.service.js';
export { UNFILTERED } from './pages/status-filters.sql.js';
