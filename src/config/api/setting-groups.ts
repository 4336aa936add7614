import { type SettingPath, settingPaths } from '../definitions/definitions.js';
import { splitPath } from '../definitions/setting.js';

/** Settings that the configuration API shows under one key. */
export interface SettingGroup {
  readonly key: string;
  readonly description: string;
  /** The policy that the settings are about; undefined for the others. */
  readonly policy: string | undefined;
  /** Paths by the names of the settings in the API, as `:limit`. */
  readonly paths: ReadonlyMap<string, SettingPath>;
  /** The names of the paths, of settings that the API shows under another name: accepted, never shown. */
  readonly pathNames: ReadonlyMap<string, SettingPath>;
  /** The setting that all other entries are about, each with the name of a host. */
  readonly byHost: SettingPath | undefined;
}

/** The group and the entry of settings whose names in Pleroma and Akkoma are not those of their paths. */
const PLEROMA_NAMES: Partial<Record<SettingPath, readonly [group: string, entry: string]>> = {
  'instance.thumbnail': ['instance', ':instance_thumbnail'],
  'instance.shout_limit': ['shout', ':limit'],
  'user.restricted_nicknames': ['users', ':restricted_nicknames'],
  'mrf.subchains': ['mrf_subchain', ':match_actor'],
  'mrf_user_allowlist.actors': ['mrf_user_allowlist', ':hosts'],
};

/** The key of each group of settings, and what the group is about: that of a policy begins with its name. `Svc.` begins the name of a module. */
const GROUPS: Readonly<Record<string, readonly [key: string, description: string]>> = {
  instance: [':instance', 'The server: its name, registration and limits.'],
  oauth: [':oauth2', 'Access tokens.'],
  auth: [':auth', 'Access to administration.'],
  captcha: ['Svc.Captcha', 'Captchas of the registration.'],
  user: [':user', 'Follows.'],
  users: ['Svc.User', 'Names.'],
  welcome: [':welcome', 'What new accounts get.'],
  backup: ['Svc.User.Backup', 'Archives of accounts.'],
  retention: [':retention', 'What is removed when it is old.'],
  activitypub: [':activitypub', 'The exchange with other servers.'],
  mrf: [':mrf', 'Policies that activities of this and other servers pass.'],
  mrf_subchain: [':mrf_subchain', 'SubchainPolicy: policies for some actors.'],
  mrf_simple: [':mrf_simple', 'SimplePolicy: lists of servers.'],
  mrf_keyword: [':mrf_keyword', 'KeywordPolicy: texts and regular expressions.'],
  mrf_hellthread: [':mrf_hellthread', 'HellthreadPolicy: posts to many accounts.'],
  mrf_object_age: [':mrf_object_age', 'ObjectAgePolicy: old posts.'],
  mrf_hashtag: [':mrf_hashtag', 'HashtagPolicy: lists of hashtags.'],
  mrf_mention: [':mrf_mention', 'MentionPolicy: posts to certain accounts.'],
  mrf_rejectnonpublic: [':mrf_rejectnonpublic', 'RejectNonPublic: posts that are not for everybody.'],
  mrf_inline_quote: [':mrf_inline_quote', 'InlineQuotePolicy: links to quoted posts.'],
  mrf_force_mention: [':mrf_force_mention', 'ForceMention: mentions of those who are answered and quoted.'],
  mrf_activity_expiration: [':mrf_activity_expiration', 'ActivityExpirationPolicy: posts that are deleted by age.'],
  mrf_vocabulary: [':mrf_vocabulary', 'VocabularyPolicy: types of activities and objects.'],
  mrf_user_allowlist: [':mrf_user_allowlist', 'UserAllowListPolicy: the accounts of a server that are accepted.'],
  mrf_dnsrbl: [':mrf_dnsrbl', 'DNSRBLPolicy: a block list in the domain name system.'],
  mrf_nsfw_api: [':mrf_nsfw_api', 'NsfwApiPolicy: an API that finds sensitive pictures.'],
  mrf_remote_report: [':mrf_remote_report', 'RemoteReportPolicy: reports of other servers.'],
  mrf_steal_emoji: [':mrf_steal_emoji', 'StealEmojiPolicy: custom emoji of other servers.'],
  mrf_follow_bot: [':mrf_follow_bot', 'FollowBotPolicy: the account that follows everybody.'],
  shout: [':shout', 'The shoutbox.'],
  metrics: [':metrics', 'Measurements.'],
  apps: [':apps', 'What apps need.'],
  push: [':push', 'Push messages to apps.'],
  streaming: [':streaming', 'Live streams.'],
  restrict_unauthenticated: [':restrict_unauthenticated', 'What is hidden from readers without an account.'],
  media_proxy: [':media_proxy', 'The proxy for files of other servers.'],
  media_preview_proxy: [':media_preview_proxy', 'Small pictures of files of other servers.'],
  frontends: [':frontends', 'Web apps that this server serves itself.'],
  rate_limit: [':rate_limit', 'Rate limits: requests in a window of milliseconds.'],
};

/** Every group in the order of the definitions. A group that {@link GROUPS} does not name has an atom for its key. */
export const settingGroups: readonly SettingGroup[] = Object.entries(
  Object.groupBy(settingPaths, (path) => namesOf(path)[0]),
).map(([group, paths = []]) => {
  const [key, description] = GROUPS[group] ?? [`:${group}`, ''];
  const policy = /^(\w+): /.exec(key.startsWith(':mrf_') ? description : '')?.[1];
  const pathNames = settingPaths
    .filter((path) => PLEROMA_NAMES[path] && splitPath(path).group === group)
    .map((path) => [`:${splitPath(path).key}`, path] as const);
  return {
    key,
    description,
    policy,
    paths: new Map(paths.map((path) => [namesOf(path)[1], path])),
    pathNames: new Map(pathNames),
    byHost: paths.find((path) => path === 'mrf_user_allowlist.actors'),
  };
});

/** The group and the entry under which the API shows a setting. */
function namesOf(path: SettingPath): readonly [group: string, entry: string] {
  const { group, key } = splitPath(path);
  return PLEROMA_NAMES[path] ?? [group, `:${key}`];
}

/** Keys whose values are replaced as a whole: of this server's group, and others by group (spec §4.1.9, rule 6). */
export const REPLACED_KEYS: ReadonlySet<string> = new Set([
  ':svc :ecto_repos',
  ':mime :types',
  ':cors_plug :max_age',
  ':cors_plug :methods',
  ':cors_plug :expose',
  ':cors_plug :headers',
  ':auto_linker :opts',
  ':swarm :node_blacklist',
  ':logger :backends',
  ':quack :meta',
]);

/** Entries that are replaced as a whole, by group and key (spec §4.1.9, rule 7); those that are settings replace their lists anyway. */
export const REPLACED_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  ':svc :assets': [':mascots'],
  ':svc :emoji': [':groups'],
  ':svc :workers': [':retries'],
};
