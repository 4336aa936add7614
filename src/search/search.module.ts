import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { CommonModule } from '../common/index.js';
import { AccountSearchController } from './account-search.controller.js';
import { AccountSearchRepository } from './account-search.repository.js';
import { AccountSearchService } from './account-search.service.js';

/** Finding what is here by what people type. */
@Module({
  imports: [CommonModule, AccountsModule],
  controllers: [AccountSearchController],
  providers: [AccountSearchRepository, AccountSearchService],
  exports: [AccountSearchService],
})
export class SearchModule {}
