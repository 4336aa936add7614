import { Type } from 'typebox';
import {
  absent,
  all,
  CONTEXT,
  count,
  type Decoder,
  flag,
  maybe,
  moment,
  object,
  text,
  url,
  VISIBILITY,
} from './decoder.js';

/**
 * What the front end of Mastodon 4.6 reads without asking whether it is there: by its importers, its models and its types
 * of answers. A missing key of these ends in a white page.
 */
const nullable = <T extends Parameters<typeof maybe>[0]>(schema: T) => Type.Union([schema, Type.Null()]);
const emoji = object({ shortcode: text, url, static_url: url, visible_in_picker: absent(flag), category: maybe(text) });
const approval = object({ automatic: all(text), manual: all(text), current_user: text });
const account = object({
  id: text,
  username: text,
  acct: text,
  display_name: text,
  note: text,
  uri: text,
  url: absent(text),
  avatar: url,
  avatar_static: url,
  header: url,
  header_static: url,
  created_at: moment,
  last_status_at: nullable(text),
  bot: flag,
  group: flag,
  locked: flag,
  indexable: flag,
  discoverable: maybe(flag),
  hide_collections: flag,
  show_media: flag,
  show_media_replies: flag,
  show_featured: flag,
  followers_count: count,
  following_count: count,
  statuses_count: count,
  emojis: all(emoji),
  fields: all(object({ name: text, value: text, verified_at: nullable(text) })),
  roles: absent(all(object({ id: text, name: text, color: text }))),
  feature_approval: approval,
});
const attachment = object({
  id: text,
  type: Type.Enum(['image', 'gifv', 'video', 'audio', 'unknown']),
  url,
  preview_url: nullable(url),
  remote_url: maybe(text),
  description: maybe(text),
  blurhash: maybe(text),
  meta: maybe(object({})),
});
const card = object({
  url: text,
  title: text,
  description: text,
  language: nullable(text),
  type: text,
  author_name: text,
  author_url: text,
  provider_name: text,
  provider_url: text,
  html: text,
  width: count,
  height: count,
  image: nullable(text),
  image_description: text,
  embed_url: text,
  blurhash: maybe(text),
  published_at: nullable(text),
  authors: all(object({ name: text, url: text, account: maybe(account) })),
});
const poll = object({
  id: text,
  expires_at: nullable(moment),
  expired: flag,
  multiple: flag,
  votes_count: count,
  voters_count: nullable(count),
  options: all(object({ title: text, votes_count: nullable(count) })),
  emojis: all(emoji),
  voted: absent(flag),
  own_votes: absent(all(count)),
});
const filter = { id: text, title: text, context: all(CONTEXT), expires_at: nullable(moment), filter_action: text };
const mention = object({ id: text, username: text, url: text, acct: text });
const tag = object({ name: text, url: text });
const written = {
  id: text,
  account,
  created_at: moment,
  edited_at: maybe(moment),
  in_reply_to_id: maybe(text),
  in_reply_to_account_id: maybe(text),
  sensitive: flag,
  spoiler_text: text,
  visibility: VISIBILITY,
  language: nullable(text),
  uri: text,
  url: nullable(text),
  content: text,
  replies_count: count,
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  favourited: absent(flag),
  reblogged: absent(flag),
  muted: absent(flag),
  bookmarked: absent(flag),
  pinned: absent(flag),
  filtered: absent(
    all(object({ filter: object(filter), keyword_matches: maybe(all(text)), status_matches: maybe(all(text)) })),
  ),
  application: maybe(object({ name: text })),
  media_attachments: all(attachment),
  mentions: all(mention),
  tags: all(tag),
  emojis: all(emoji),
  card: maybe(card),
  poll: maybe(poll),
  quote_approval: approval,
  tagged_collections: all(object({})),
};
const state = { state: text };
const quoted = object({ ...written, quote: maybe(object({ ...state, quoted_status_id: maybe(text) })) });
const post = { ...written, quote: maybe(object({ ...state, quoted_status: nullable(quoted) })) };
const status = object({ ...post, reblog: maybe(object(post)) });
const marker = object({ last_read_id: text, version: count, updated_at: moment });
const access = object({ local: text, remote: text });
/** Types that it shows; it drops a group with another one, but stumbles over it in the stream. */
const TYPE = Type.Enum([
  ...[
    'follow',
    'follow_request',
    'favourite',
    'reblog',
    'mention',
    'quote',
    'poll',
    'status',
    'update',
    'quoted_update',
  ],
  ...['admin.sign_up', 'admin.report', 'moderation_warning', 'severed_relationships', 'annual_report'],
]);

export const mastodonWeb: Decoder = {
  account,
  status,
  notification: object({ id: text, type: text, created_at: moment, group_key: text, account, status: maybe(status) }),
  groups: object({
    accounts: all(account),
    statuses: all(status),
    notification_groups: all(
      object({
        group_key: text,
        notifications_count: count,
        type: TYPE,
        sample_account_ids: all(text),
        most_recent_notification_id: Type.Union([text, count]),
        latest_page_notification_at: absent(moment), // the three are in pages only, there too
        page_min_id: absent(text),
        page_max_id: absent(text),
        status_id: maybe(text),
      }),
    ),
  }),
  policy: object({
    ...Object.fromEntries(
      ['not_following', 'not_followers', 'new_accounts', 'private_mentions', 'limited_accounts'].map((who) => [
        `for_${who}`,
        Type.Enum(['accept', 'filter', 'drop']),
      ]),
    ),
    summary: object({ pending_requests_count: count, pending_notifications_count: count }),
  }),
  relationship: object({
    id: text,
    ...Object.fromEntries(
      ['following', 'followed_by', 'requested', 'requested_by', 'blocking', 'blocked_by', 'domain_blocking'].map(
        (key) => [key, flag],
      ),
    ),
    muting: flag,
    muting_notifications: flag,
    muting_expires_at: maybe(moment),
    endorsed: flag,
    languages: nullable(all(text)),
    note: text,
    notifying: flag,
    showing_reblogs: flag,
  }),
  instanceV1: object({}),
  instanceV2: object({
    domain: text,
    title: text,
    version: text,
    source_url: text,
    description: text,
    languages: all(text),
    usage: object({ users: object({ active_month: count }) }),
    thumbnail: object({ url: text, blurhash: maybe(text), description: text, versions: absent(object({})) }),
    icon: all(object({ src: text, size: text })),
    contact: object({ email: nullable(text), account: nullable(account) }),
    api_versions: object({ mastodon: count }),
    registrations: object({ enabled: flag, approval_required: flag, message: nullable(text), url: nullable(text) }),
    rules: all(object({ id: text, text, hint: text })),
    configuration: object({
      urls: object({ streaming: text, status: maybe(text), about: text, privacy_policy: nullable(text) }),
      vapid: object({ public_key: text }),
      accounts: object({
        max_display_name_length: count,
        max_note_length: count,
        max_featured_tags: count,
        max_pinned_statuses: count,
        max_profile_fields: count,
        profile_field_name_limit: count,
        profile_field_value_limit: count,
      }),
      statuses: object({ max_characters: count, max_media_attachments: count, characters_reserved_per_url: count }),
      media_attachments: object({ description_limit: count, supported_mime_types: all(text) }),
      polls: object({
        max_options: count,
        max_characters_per_option: count,
        min_expiration: count,
        max_expiration: count,
      }),
      translation: object({ enabled: flag }),
      timelines_access: object({ live_feeds: access, hashtag_feeds: access, trending_link_feeds: access }),
      limited_federation: flag,
    }),
  }),
  profile: object({
    id: text,
    display_name: text,
    note: text,
    fields: all(object({ name: text, value: text })),
    ...Object.fromEntries(
      ['locked', 'bot', 'hide_collections', 'show_media', 'show_featured'].map((key) => [key, flag]),
    ),
    attribution_domains: all(text),
    featured_tags: all(object({})),
  }),
  conversation: object({ id: text, unread: flag, accounts: all(account), last_status: nullable(status) }),
  announcement: object({
    id: text,
    content: text,
    starts_at: nullable(moment),
    ends_at: nullable(moment),
    all_day: flag,
    published_at: moment,
    read: flag,
    mentions: all(mention),
    statuses: all(object({ id: text, url: text })),
    tags: all(tag),
    emojis: all(emoji),
    reactions: all(object({ name: text, count, me: flag })),
  }),
  tag: object({
    id: text,
    name: text,
    url: text,
    history: all(object({ day: text, accounts: text, uses: text })),
    following: absent(flag),
  }),
  scheduled: object({ id: text, scheduled_at: moment, params: object({ text }), media_attachments: all(attachment) }),
  push: object({ id: Type.Union([text, count]), endpoint: text, server_key: text, alerts: object({}) }),
  filter: object({
    ...filter,
    keywords: all(object({ id: text, keyword: text, whole_word: flag })),
    statuses: all(object({ id: text, status_id: text })),
  }),
  list: object({ id: text, title: text, exclusive: flag, replies_policy: Type.Enum(['list', 'followed', 'none']) }),
  markers: object({ home: absent(marker), notifications: absent(marker) }),
  context: object({ ancestors: all(status), descendants: all(status) }),
  search: object({
    accounts: all(account),
    statuses: all(status),
    hashtags: all(object({ name: text, url: text, history: all(object({})) })),
    collections: all(object({})),
  }),
};
