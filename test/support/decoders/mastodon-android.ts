import { Type } from 'typebox';
import { all, CONTEXT, count, type Decoder, flag, maybe, moment, object, text, url, VISIBILITY } from './decoder.js';

/** What Mastodon for Android and its forks demand, by their models: the required keys are not null, and types are those of Java. */
const emoji = object({ shortcode: text, url: text, static_url: text, visible_in_picker: flag });
const field = object({ name: text, value: text, verified_at: maybe(moment) });
const role = object({ id: text, name: text });
const account = object({
  id: text,
  username: text,
  acct: text,
  url: text,
  display_name: text,
  note: text,
  avatar: text,
  header: text,
  created_at: moment,
  last_status_at: maybe(Type.String({ pattern: /^\d{4}-\d\d-\d\d$/ })),
  fields: maybe(all(field)),
  emojis: maybe(all(emoji)),
  roles: maybe(all(role)),
  role: maybe(object({ id: text, name: text, permissions: Type.String({ pattern: /^\d+$/ }), highlighted: flag })),
  source: maybe(object({ note: text, fields: all(field), privacy: maybe(VISIBILITY) })),
});
const attachment = Type.Union([
  object({ id: text, type: Type.Enum(['audio', 'unknown', 'image']), url }),
  object({ id: text, type: Type.Enum(['gifv', 'video']), url, preview_url: url }),
]);
const filter = object({
  id: text,
  title: text,
  context: all(CONTEXT),
  filter_action: Type.Enum(['warn', 'hide']),
  expires_at: maybe(moment),
  keywords: maybe(all(object({ id: text, keyword: text, whole_word: flag }))),
});
const post = {
  id: text,
  uri: text,
  created_at: moment,
  account,
  content: text,
  visibility: VISIBILITY,
  spoiler_text: text,
  media_attachments: all(attachment),
  mentions: all(object({ id: text, username: text, acct: text, url: text })),
  tags: all(object({ name: text, url: text })),
  emojis: all(emoji),
  application: maybe(object({ name: text })),
  card: maybe(
    object({
      url: text,
      title: text,
      description: text,
      type: Type.Enum(['link', 'photo', 'video', 'rich']),
      authors: maybe(all(object({ name: text }))),
    }),
  ),
  poll: maybe(
    object({ id: text, own_votes: maybe(all(count)), emojis: all(emoji), options: all(object({ title: text })) }),
  ),
  quote_approval: maybe(object({ automatic: all(text), manual: all(text) })),
};
const status = object({ ...post, reblog: maybe(object(post)) });
const marker = maybe(object({ last_read_id: text, version: count, updated_at: moment }));
const ACCESS = Type.Enum(['public', 'authenticated', 'disabled']);
const feeds = object({ local: ACCESS, remote: ACCESS });

export const mastodonAndroid: Decoder = {
  account,
  status,
  notification: object({ id: text, type: text, created_at: moment, account, status: maybe(status) }),
  relationship: object({ id: text }),
  instanceV1: object({
    uri: text,
    title: text,
    description: text,
    version: text,
    languages: all(text),
    contact_account: maybe(account),
  }),
  instanceV2: object({
    domain: text,
    title: text,
    description: text,
    version: text,
    languages: all(text),
    registrations: object({ enabled: flag }),
    configuration: object({ timelines_access: maybe(object({ live_feeds: feeds, hashtag_feeds: feeds })) }),
  }),
  push: object({
    id: count,
    endpoint: text,
    alerts: object({}),
    server_key: text,
    policy: Type.Enum(['all', 'followed', 'follower', 'none']),
  }),
  filter,
  list: object({ id: text, title: text, replies_policy: Type.Enum(['followed', 'list', 'none']) }),
  markers: object({ home: marker, notifications: marker }),
  context: object({ ancestors: all(status), descendants: all(status) }),
  search: object({
    accounts: maybe(all(account)),
    statuses: maybe(all(status)),
    hashtags: maybe(all(object({ name: text, url: text }))),
  }),
};
