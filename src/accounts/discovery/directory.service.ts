import { Injectable } from '@nestjs/common';
import { AnonymousAccess, type ListedProfiles } from '../../config/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { DirectoryRepository, type DirectoryScope } from './directory.repository.js';
import type { DirectoryQuery } from './discovery.dto.js';

/**
 * Lists discoverable accounts. Leaves out accounts that the viewer hides or is blocked by and, for visitors, profiles
 * that are for members only.
 */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly repository: DirectoryRepository,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /** Order: the latest post first, or the newest account first. */
  async page({ order, local, limit, offset }: DirectoryQuery, viewerId = ''): Promise<AccountCounts[]> {
    const scope = scopeOf(local, this.anonymous.listedProfiles(viewerId));
    return scope === undefined ? [] : this.repository.page(order, scope, viewerId, limit, offset);
  }
}

/** Undefined where no account is listed. */
function scopeOf(local: boolean, { here, elsewhere }: ListedProfiles): DirectoryScope | undefined {
  if (local || !elsewhere) return here ? 'here' : undefined;
  return here ? 'anywhere' : 'elsewhere';
}
