import { Injectable } from '@nestjs/common';
import { AnonymousAccess } from '../config/index.js';
import type { AccountCounts } from './account.rows.js';
import { DirectoryRepository } from './directory.repository.js';
import type { DirectoryDto } from './discovery.dto.js';

/**
 * Who wants to be found (`discoverable`), but for those whom the viewer hides or is blocked by, and for those whose profiles
 * are for members only where a visitor looks.
 */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly repository: DirectoryRepository,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /** Those who posted last, or who came last. */
  page(query: DirectoryDto, viewerId = ''): Promise<AccountCounts[]> {
    return this.repository.page(query, viewerId, this.anonymous.listedProfiles(viewerId));
  }
}
