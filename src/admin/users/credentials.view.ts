import { Injectable } from '@nestjs/common';
import type { Credentials } from '../../accounts/index.js';
import { brandKey, Json } from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand } from '../../platform/index.js';

/** The own settings of a local user, as an administrator reads and changes them (spec §2.9). */
@Injectable()
export class CredentialsView {
  constructor(
    private readonly brand: Brand,
    private readonly urls: MediaUrls,
  ) {}

  one({ own: row, email }: Credentials): Json {
    const picture = (stored: string | null) => (stored === null ? null : this.urls.shown(stored));
    return Json.object({
      id: row.id,
      nickname: row.nickname,
      name: row.displayName,
      bio: row.noteSource,
      email,
      actor_type: row.actorType,
      avatar: picture(row.avatarUrl),
      banner: picture(row.headerUrl),
      background: picture(row.backgroundUrl),
      fields: row.fields.map(({ name, value }) => ({ name, value })),
      raw_fields: row.fields.map(({ name, value, source }, at) => ({ id: String(at), name, value: source ?? value })),
      default_scope: row.defaultScope,
      discoverable: row.discoverable,
      is_discoverable: row.discoverable,
      locked: row.locked,
      no_rich_text: row.noRichText,
      allow_following_move: row.allowFollowingMove,
      hide_favorites: row.hideFavorites,
      hide_followers: row.hideFollowers,
      hide_followers_count: row.hideFollowersCount,
      hide_follows: row.hideFollows,
      hide_follows_count: row.hideFollowsCount,
      show_role: row.showRole,
      skip_thread_containment: row.skipThreadContainment,
      [brandKey(this.brand.word, 'svc_settings_store')]: row.settingsStore,
    });
  }
}
