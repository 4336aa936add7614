export { HomeFeedRow } from './feed.entity.js';
export { Filter, FilterKeyword, FilterStatus } from './filter.entities.js';
export {
  FilterKeywordShape,
  FilterShape,
  FilterStatusShape,
  OlderFilterShape,
  type FilterJson,
  type FilterKeywordJson,
  type FilterStatusJson,
  type OlderFilterJson,
} from './filter.shape.js';
export { FiltersChanged } from './filters.events.js';
export { FeedRepair } from './feed-repair.service.js';
export { FeedsService } from './feeds.service.js';
export { suitsRepliesPolicy } from './list.sql.js';
export { FollowedTag, HashtagDay } from './tag.entities.js';
export { type TagJson, TagShape } from './tag.shape.js';
export { TagView } from './tag.view.js';
export { TagsService } from './tags.service.js';
export { TimelinesModule } from './timelines.module.js';
export { TimelinesService } from './timelines.service.js';
