export { HomeFeedRow } from './feed.entity.js';
export { TimelinesModule } from './timelines.module.js';
