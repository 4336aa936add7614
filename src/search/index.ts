export { type AccountCriteria, AccountSearchService } from './account-search.service.js';
export { SearchModule } from './search.module.js';
export { type ResultsV1Json, ResultsV1Shape, type ResultsJson, ResultsShape } from './search.shape.js';
