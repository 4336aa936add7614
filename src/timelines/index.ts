export { HomeFeedRow } from './feed.entity.js';
export { FeedsService } from './feeds.service.js';
export { TimelinesModule } from './timelines.module.js';
