import { Inject, Injectable } from '@nestjs/common';
import { acctOf, defaultAvatarUrl, type ModeratedAccount } from '../../accounts/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import type { AdminUserJson } from './admin-user.shape.js';

/** Accounts as administrators see them. */
@Injectable()
export class AdminUserView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly urls: MediaUrls,
  ) {}

  one(row: ModeratedAccount): AdminUserJson {
    return {
      id: row.id,
      nickname: acctOf(row.nickname, row.domain),
      display_name: row.displayName || row.nickname,
      avatar: row.avatarUrl === null ? defaultAvatarUrl(this.env.baseUrl) : this.urls.shown(row.avatarUrl),
      roles: { admin: row.isAdmin, moderator: row.isModerator },
      local: row.domain === null,
      tags: [...row.tags],
      deactivated: row.isDeactivated,
      is_active: !row.isDeactivated,
      confirmation_pending: !row.isConfirmed,
      is_confirmed: row.isConfirmed,
      approval_pending: !row.isApproved,
      is_approved: row.isApproved,
      is_suggested: row.isSuggested,
      registration_reason: row.registrationReason || null,
      actor_type: row.actorType,
      email: row.email,
      url: row.url,
      created_at: row.createdAt,
    };
  }
}
