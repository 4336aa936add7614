import { brandKey } from '../../common/index.js';

/** A path under the brand of this server. */
export function brandedPath(path: string, brand: string): string {
  return path.replace(
    /^(\/api\/(?:v[12]\/)?|\/(?=svc\/admin))svc(?=\/|$)/,
    (_, api: string) => api + brandKey(brand, 'svc'),
  );
}

/** A path of the router as a template of the document. */
export function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

/** The names of a path's parameters. */
export function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/[:*](\w+)/g), ([, name = '']) => name);
}

/** What a parameter names, by its own name or by the part of the path before it. */
const BY_NAME: Readonly<Record<string, string>> = {
  account_id: 'The id of the account.',
  app: 'The name of the frontend.',
  chat_id: 'The id of the chat.',
  date: 'The day on which they took effect.',
  document_name: 'The name of the text.',
  emoji: 'The emoji itself, or the name of a custom emoji.',
  filter_id: 'The id of the filter.',
  group_key: 'The key of the group, as lists of groups name it.',
  hashtag: 'The hashtag, without `#`.',
  instance: 'The domain of the server.',
  list_id: 'The id of the list.',
  message_id: 'The id of the message.',
  method: 'The kind of the second factor: `totp`.',
  name: 'The emoji itself, or the name of a custom emoji.',
  nickname: 'The nickname of the account; of another server with its domain.',
  nickname_or_id: 'The id or the nickname of the account.',
  permission_group: 'The right: `admin` or `moderator`.',
  quoting_status_id: 'The id of the post that quotes.',
  report_id: 'The id of the report.',
  version: 'The version of NodeInfo: `2.0` or `2.1`.',
};
const BY_PLACE: Readonly<Record<string, string>> = {
  accounts: 'The id or the nickname of the account.',
  announcements: 'The id of the announcement.',
  bookmark_folders: 'The id of the folder.',
  chats: 'The id of the chat.',
  conversations: 'The id of the conversation.',
  filters: 'The id of the filter.',
  follow_requests: 'The id of the account that asks.',
  keywords: 'The id of the word.',
  lists: 'The id of the list.',
  media: 'The id of the upload.',
  notes: 'The id of the note.',
  notifications: 'The id of the notification.',
  oauth_app: 'The id of the app.',
  oauth_tokens: 'The id of the sign-in.',
  polls: 'The id of the poll.',
  reports: 'The id of the report.',
  requests: 'The id of the request.',
  rules: 'The id of the rule.',
  scheduled_statuses: 'The id of the scheduled post.',
  statuses: 'The id of the post.',
  tags: 'The hashtag, without `#`.',
};

/** What a parameter of a path names; undefined when nothing is known of it. */
export function pathText(path: string, name: string): string | undefined {
  if (path.includes('/filters/statuses/')) return 'The id of the entry, as the filter lists it.';
  const [, before = ''] = new RegExp(`([^/]+)/:${name}(?:/|$)`).exec(path) ?? [];
  return BY_NAME[name] ?? (name === 'id' ? BY_PLACE[before] : undefined);
}
