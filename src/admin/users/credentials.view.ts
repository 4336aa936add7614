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
      name: row.display_name,
      bio: row.note_source,
      email,
      actor_type: row.actor_type,
      avatar: picture(row.avatar_url),
      banner: picture(row.header_url),
      background: picture(row.background_url),
      fields: row.fields.map(({ name, value }) => ({ name, value })),
      raw_fields: row.fields.map(({ name, value, source }, at) => ({ id: String(at), name, value: source ?? value })),
      default_scope: row.default_scope,
      discoverable: row.discoverable,
      is_discoverable: row.discoverable,
      locked: row.locked,
      no_rich_text: row.no_rich_text,
      allow_following_move: row.allow_following_move,
      hide_favorites: row.hide_favorites,
      hide_followers: row.hide_followers,
      hide_followers_count: row.hide_followers_count,
      hide_follows: row.hide_follows,
      hide_follows_count: row.hide_follows_count,
      show_role: row.show_role,
      skip_thread_containment: row.skip_thread_containment,
      [brandKey(this.brand.word, 'svc_settings_store')]: row.settings_store,
    });
  }
}
