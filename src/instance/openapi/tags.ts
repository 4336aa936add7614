/** What the tags of the reference hold. Their names are names in generated clients, so they stay. */
const TAGS = {
  accounts: 'Accounts, their profiles, follows, blocks, mutes and lists.',
  admin: 'Administration of the server, for administrators and in part for moderators.',
  chats: 'Chats of two accounts, beside direct messages.',
  emoji: 'Custom emoji and their packs.',
  instance: 'The server itself: description, rules, announcements, health and discovery.',
  media: 'Files for posts, and the mascot.',
  notifications: 'Notifications, one by one and in groups, their policy, push messages and reading positions.',
  oauth: 'Apps, tokens and sign-ins; registration and the security of the own account.',
  portability: 'Archives, aliases, imports and moves of the own account.',
  search: 'Search for accounts, posts and hashtags.',
  statuses: 'Posts, and what accounts do with them: replies, reblogs, favourites, bookmarks, reactions, votes, quotes.',
  streaming: 'Live streams as server-sent events. The same streams exist over WebSockets.',
  timelines: 'Timelines, filters, hashtags and trends.',
} as const;

export type Tag = keyof typeof TAGS;

/** Modules whose operations have the tag of another one. */
const OTHERS: Readonly<Record<string, Tag>> = {
  access: 'oauth',
  config: 'admin',
  documents: 'instance',
  'remote-follow': 'accounts',
  'sign-in': 'oauth',
  web: 'instance',
};

/** The tag for operations of a module. */
export function tagOf(module: string): Tag {
  const tag = OTHERS[module] ?? module;
  if (!isTag(tag)) throw new Error(`The operations of the module ${module} have no tag in the reference of the API`);
  return tag;
}

/** The tags as the document lists them, in alphabetical order. */
export function tags(): { readonly name: string; readonly description: string }[] {
  return Object.entries(TAGS).map(([name, description]) => ({ name, description }));
}

function isTag(name: string): name is Tag {
  return Object.hasOwn(TAGS, name);
}
