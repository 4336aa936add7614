export { HomeFeedRow } from './feed.entity.js';
export { FeedRepair } from './feed-repair.service.js';
export { FeedsService } from './feeds.service.js';
export { TimelinesModule } from './timelines.module.js';
