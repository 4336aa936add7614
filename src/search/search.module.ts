import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { StatusesModule } from '../statuses/index.js';
import { TimelinesModule } from '../timelines/index.js';
import { AccountSearchController } from './account-search.controller.js';
import { AccountSearchRepository } from './account-search.repository.js';
import { AccountSearchService } from './account-search.service.js';
import { SearchV1Controller, SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';
import { SearchView } from './search.view.js';
import { StatusSearchRepository } from './status-search.repository.js';
import { StatusSearchService } from './status-search.service.js';
import { TagSearchRepository } from './tag-search.repository.js';

/** Search for accounts, posts and hashtags. */
@Module({
  imports: [CommonModule, AccountsModule, StatusesModule, TimelinesModule],
  controllers: [AccountSearchController, SearchV1Controller, SearchController],
  providers: [
    AccountSearchRepository,
    AccountSearchService,
    SearchService,
    SearchView,
    StatusSearchRepository,
    StatusSearchService,
    TagSearchRepository,
  ],
  exports: [AccountSearchService, SearchService],
})
export class SearchModule {}
