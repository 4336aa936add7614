import { Type } from 'typebox';
import { all, CONTEXT, count, type Decoder, flag, maybe, moment, object, text, url, VISIBILITY } from './decoder.js';

/** What Ice Cubes demands, by its models: a URL that it cannot read, and a word that it does not know, end the whole page. */
const emoji = object({ shortcode: text, url, static_url: url, visible_in_picker: flag, category: maybe(text) });
const field = object({ name: text, value: text, verified_at: maybe(text) });
const account = object({
  id: text,
  username: text,
  display_name: maybe(text),
  avatar: url,
  header: url,
  acct: text,
  note: text,
  created_at: moment,
  followers_count: maybe(count),
  following_count: maybe(count),
  statuses_count: maybe(count),
  last_status_at: maybe(text),
  fields: all(field),
  locked: flag,
  emojis: all(emoji),
  url: maybe(url),
  source: maybe(
    object({ privacy: maybe(VISIBILITY), sensitive: flag, language: maybe(text), note: text, fields: all(field) }),
  ),
  bot: flag,
  discoverable: maybe(flag),
});
const size = maybe(object({ width: maybe(count), height: maybe(count) }));
const attachment = object({
  id: text,
  type: text,
  url: maybe(url),
  preview_url: maybe(url),
  description: maybe(text),
  meta: maybe(object({ original: size })),
});
const card = object({
  url: text,
  title: maybe(text),
  type: text,
  image: maybe(url),
  history: maybe(all(object({ day: text, accounts: text, uses: text }))),
  authors: maybe(all(object({ name: text, url: text, account: maybe(account) }))),
});
const poll = object({
  id: text,
  expires_at: Type.Union([moment, Type.Null()]),
  expired: flag,
  multiple: flag,
  votes_count: count,
  voters_count: maybe(count),
  voted: maybe(flag),
  own_votes: maybe(all(count)),
  options: all(object({ title: text, votes_count: maybe(count) })),
});
const filtered = object({ id: text, title: text, context: all(text), filter_action: Type.Enum(['warn', 'hide']) });
const post = {
  id: text,
  content: text,
  account,
  created_at: moment,
  edited_at: maybe(moment),
  media_attachments: all(attachment),
  mentions: all(object({ id: text, username: text, url, acct: text })),
  replies_count: count,
  reblogs_count: count,
  quotes_count: maybe(count),
  favourites_count: count,
  card: maybe(card),
  favourited: maybe(flag),
  reblogged: maybe(flag),
  pinned: maybe(flag),
  bookmarked: maybe(flag),
  emojis: all(emoji),
  url: maybe(text),
  in_reply_to_id: maybe(text),
  in_reply_to_account_id: maybe(text),
  visibility: VISIBILITY,
  poll: maybe(poll),
  spoiler_text: text,
  filtered: maybe(all(object({ filter: filtered, keyword_matches: maybe(all(text)) }))),
  sensitive: flag,
  language: maybe(text),
  tags: all(object({ name: text, url: text })),
  quote_approval: maybe(
    object({
      current_user: Type.Enum(['automatic', 'manual', 'denied', 'unknown']),
      automatic: all(text),
      manual: all(text),
    }),
  ),
};
const status = object({ ...post, reblog: maybe(object(post)) });
const marker = maybe(object({ last_read_id: text, version: count, updated_at: moment }));
const limits = { max_options: count, max_characters_per_option: count, min_expiration: count, max_expiration: count };

export const iceCubes: Decoder = {
  account,
  status,
  notification: object({
    id: text,
    type: text,
    created_at: moment,
    account,
    status: maybe(status),
    group_key: maybe(text),
  }),
  relationship: object({
    id: maybe(text),
    following: maybe(flag),
    requested: maybe(flag),
    note: maybe(text),
    notifying: maybe(flag),
  }),
  instanceV1: object({}),
  instanceV2: object({
    title: text,
    domain: text,
    version: text,
    languages: maybe(all(text)),
    registrations: object({ enabled: flag }),
    thumbnail: object({ url: maybe(url) }),
    configuration: maybe(
      object({ statuses: object({ max_characters: count, max_media_attachments: count }), polls: object(limits) }),
    ),
    rules: maybe(all(object({ id: text, text }))),
    contact: object({ account: maybe(account), email: text }),
  }),
  push: object({
    id: count,
    endpoint: url,
    server_key: text,
    alerts: object({ follow: flag, favourite: flag, reblog: flag, mention: flag, poll: flag, status: flag }),
  }),
  filter: object({
    id: text,
    title: text,
    keywords: all(object({ id: text, keyword: text, whole_word: flag })),
    filter_action: Type.Enum(['warn', 'hide']),
    context: all(CONTEXT),
    expires_at: maybe(moment),
  }),
  list: object({
    id: text,
    title: text,
    replies_policy: maybe(Type.Enum(['followed', 'list', 'none'])),
    exclusive: maybe(flag),
  }),
  markers: object({ home: marker, notifications: marker }),
  context: object({ ancestors: all(status), descendants: all(status) }),
  search: object({ accounts: all(account), statuses: all(status), hashtags: all(object({ name: text, url: text })) }),
};
