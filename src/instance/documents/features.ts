import { brandKey } from '../../common/index.js';
import type { Settings } from '../../config/index.js';

/** The feature names that apps look for. A new feature of this kind adds its name. */
const FEATURES = [
  'mastodon_api',
  'mastodon_api_streaming',
  'editing',
  'multifetch',
  'exposable_reactions',
  'polls',
  'profile_directory',
  'quote_posting',
  'shareable_emoji_packs',
  'svc:bookmark_folders',
  'svc:get:main/ostatus',
  'svc:group_actors',
  'svc_api',
  'svc_chat_messages',
  'svc_custom_emoji_reactions',
  'svc_emoji_reactions',
  'svc_explicit_addressing',
  'svc:api/v1/notifications:include_types_filter',
  'v2_suggestions',
];

/** The features of this server as configured, with the brand in their names. */
export function featureNames(brand: string, settings: Settings): string[] {
  const chosen = [
    ...(settings.get('instance.allow_relay') ? ['relay'] : []),
    ...(settings.get('instance.safe_dm_mentions') ? ['safe_dm_mentions'] : []),
    ...(settings.get('shout.enabled') ? ['chat', 'shout'] : []), // older clients know the shoutbox as `chat`
    ...(settings.get('media_proxy.enabled') ? ['media_proxy'] : []),
  ];
  return [...FEATURES, ...chosen].map((name) => brandKey(brand, name));
}
