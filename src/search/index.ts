export { type AccountQuery, AccountSearchService } from './account-search.service.js';
export { SearchModule } from './search.module.js';
export { type OlderResultsJson, OlderResultsShape, type ResultsJson, ResultsShape } from './search.shape.js';
