export { type AccountQuery, AccountSearchService } from './account-search.service.js';
export { SearchModule } from './search.module.js';
