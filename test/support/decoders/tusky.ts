import { absent, all, CONTEXT, count, type Decoder, flag, maybe, moment, object, text, VISIBILITY } from './decoder.js';

/** What Tusky demands, by its entities. */
const emoji = object({
  shortcode: text,
  url: text,
  static_url: text,
  visible_in_picker: absent(flag),
  category: maybe(text),
});
const field = object({ name: text, value: text });
const writer = object({
  id: text,
  username: text,
  acct: text,
  display_name: maybe(text),
  url: text,
  avatar: text,
  note: text,
  bot: absent(flag),
  emojis: absent(all(emoji)),
});
const account = object({
  ...writer.properties,
  created_at: moment,
  header: text,
  locked: absent(flag),
  followers_count: absent(count),
  following_count: absent(count),
  statuses_count: absent(count),
  source: maybe(
    object({
      privacy: absent(VISIBILITY),
      sensitive: maybe(flag),
      note: maybe(text),
      fields: absent(all(field)),
      language: maybe(text),
    }),
  ),
  fields: absent(all(object({ name: text, value: text, verified_at: maybe(moment) }))),
  roles: absent(all(object({ name: text, color: text }))),
});
const attachment = object({
  id: text,
  url: text,
  preview_url: maybe(text),
  type: text,
  description: maybe(text),
  blurhash: maybe(text),
});
const poll = object({
  id: text,
  expires_at: maybe(moment),
  expired: flag,
  multiple: flag,
  votes_count: count,
  voters_count: maybe(count),
  options: all(object({ title: text, votes_count: maybe(count) })),
  voted: absent(flag),
  own_votes: absent(all(count)),
});
const card = object({
  url: text,
  title: text,
  description: absent(text),
  authors: absent(all(object({ name: text, url: text, account: maybe(writer) }))),
  type: text,
  width: absent(count),
  height: absent(count),
});
const filter = object({
  id: absent(text),
  title: absent(text),
  context: all(CONTEXT),
  expires_at: maybe(moment),
  filter_action: text,
  keywords: absent(all(object({ id: text, keyword: text, whole_word: flag }))),
});
const post = {
  id: text,
  url: maybe(text),
  account: writer,
  in_reply_to_id: maybe(text),
  content: text,
  created_at: moment,
  edited_at: maybe(moment),
  emojis: all(emoji),
  reblogs_count: count,
  favourites_count: count,
  replies_count: count,
  reblogged: absent(flag),
  favourited: absent(flag),
  bookmarked: absent(flag),
  sensitive: flag,
  spoiler_text: text,
  visibility: VISIBILITY,
  media_attachments: all(attachment),
  mentions: all(object({ id: text, url: text, acct: text, username: text })),
  tags: absent(all(object({ name: text, url: text }))),
  pinned: absent(flag),
  muted: absent(flag),
  poll: maybe(poll),
  card: maybe(card),
  language: maybe(text),
  filtered: maybe(all(object({ filter }))),
};
const status = object({ ...post, reblog: maybe(object(post)) });
const marker = object({ last_read_id: text, version: count, updated_at: moment });

export const tusky: Decoder = {
  account,
  status,
  notification: object({ type: text, id: text, account: writer, status: maybe(status), filtered: absent(flag) }),
  relationship: object({
    id: text,
    following: flag,
    followed_by: flag,
    blocking: flag,
    muting: flag,
    muting_notifications: flag,
    requested: flag,
    showing_reblogs: flag,
    domain_blocking: flag,
    note: maybe(text),
    notifying: maybe(flag),
  }),
  instanceV1: object({
    uri: text,
    version: text,
    max_toot_chars: maybe(count),
    rules: absent(all(object({ id: text, text }))),
  }),
  instanceV2: object({
    domain: text,
    version: text,
    configuration: maybe(
      object({ accounts: maybe(object({ max_featured_tags: count, max_profile_fields: maybe(count) })) }),
    ),
    rules: absent(all(object({ id: text, text }))),
  }),
  push: object({ id: count, endpoint: text, server_key: text }),
  filter,
  list: object({ id: text, title: text, exclusive: maybe(flag), replies_policy: maybe(text) }),
  markers: object({ home: absent(marker), notifications: absent(marker) }),
  context: object({ ancestors: all(status), descendants: all(status) }),
  search: object({
    accounts: all(writer),
    statuses: all(status),
    hashtags: all(object({ name: text, url: text, following: maybe(flag) })),
  }),
};
