export { type AccountCriteria, AccountSearchService } from './account-search.service.js';
export { SearchModule } from './search.module.js';
export { SEARCH_TYPES, SearchService, type SearchType } from './search.service.js';
export { type ResultsV1Json, ResultsV1Shape, type ResultsJson, ResultsShape } from './search.shape.js';
