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
      display_name: row.display_name || row.nickname,
      avatar: row.avatar_url === null ? defaultAvatarUrl(this.env.baseUrl) : this.urls.shown(row.avatar_url),
      roles: { admin: row.is_admin, moderator: row.is_moderator },
      local: row.domain === null,
      tags: [...row.tags],
      deactivated: row.is_deactivated,
      is_active: !row.is_deactivated,
      confirmation_pending: !row.is_confirmed,
      is_confirmed: row.is_confirmed,
      approval_pending: !row.is_approved,
      is_approved: row.is_approved,
      is_suggested: row.is_suggested,
      registration_reason: row.registration_reason,
      actor_type: row.actor_type,
      email: row.email,
      url: row.url,
      created_at: row.created_at,
    };
  }
}
