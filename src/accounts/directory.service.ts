import { Injectable } from '@nestjs/common';
import type { AccountCounts } from './account.rows.js';
import { DirectoryRepository } from './directory.repository.js';
import type { DirectoryDto } from './discovery.dto.js';

/** Who wants to be found (`discoverable`), but for those whom the viewer hides or is blocked by. */
@Injectable()
export class DirectoryService {
  constructor(private readonly repository: DirectoryRepository) {}

  /** Those who posted last, or who came last. */
  page({ order, local, limit, offset }: DirectoryDto, viewerId = ''): Promise<AccountCounts[]> {
    return this.repository.page(order, local, viewerId, limit, offset);
  }
}
