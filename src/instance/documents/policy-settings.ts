import type { Static } from 'typebox';
import { parseUrl } from '../../platform/index.js';
import {
  type HostList,
  type PolicyName,
  type Settings,
  type SettingPath,
  settingPaths,
  type SettingPrefix,
  SIMPLE_LISTS,
} from '../../config/index.js';
import type { FederationShape } from './instance.shape.js';

type SettingGroup = SettingPrefix & `mrf_${string}`;

/** The settings of policies that the instance documents publish, as those of Pleroma do. */
const PUBLISHED: Partial<Record<PolicyName, SettingGroup>> = {
  KeywordPolicy: 'mrf_keyword',
  HellthreadPolicy: 'mrf_hellthread',
  ObjectAgePolicy: 'mrf_object_age',
  HashtagPolicy: 'mrf_hashtag',
  RejectNonPublic: 'mrf_rejectnonpublic',
  EmojiPolicy: 'mrf_emoji',
  VocabularyPolicy: 'mrf_vocabulary',
  NsfwApiPolicy: 'mrf_nsfw_api',
  RemoteReportPolicy: 'mrf_remote_report',
};

/** What is not published of them: the address of the API may have a key in it. */
const UNPUBLISHED: readonly SettingPath[] = ['mrf_nsfw_api.url'];

type Hosts = readonly (readonly [host: string, reason: string])[];
/** The hosts that may be published. */
type Listed = (hosts: HostList) => Hosts;

/** The settings of the policies that run, by the names of their groups. */
export function policySettings(settings: Settings, listed: Listed): Partial<Static<typeof FederationShape>> {
  const policies = settings.get('mrf.policies');
  const published = policies.flatMap((name) => PUBLISHED[name] ?? []);
  return {
    ...Object.fromEntries(published.map((group) => [group, groupOf(group, settings)])),
    ...(policies.includes('UserAllowListPolicy') ? { mrf_user_allowlist: allowedOf(settings, listed) } : {}),
    ...(policies.includes('SimplePolicy') ? simpleLists(settings, listed) : {}),
  };
}

/** The reasons by host, as far as there are any. */
export function infoOf(hosts: Hosts): Record<string, { reason: string }> {
  return Object.fromEntries(hosts.filter(([, reason]) => reason !== '').map(([host, reason]) => [host, { reason }]));
}

function groupOf(group: SettingGroup, settings: Settings): Record<string, unknown> {
  const paths = settingPaths.filter((path) => path.startsWith(`${group}.`) && !UNPUBLISHED.includes(path));
  return Object.fromEntries(paths.map((path) => [path.slice(group.length + 1), valueOf(path, settings)]));
}

function valueOf(path: SettingPath, settings: Settings): unknown {
  if (path !== 'mrf_keyword.replace') return settings.get(path);
  return settings.get(path).map(([pattern, replacement]) => ({ pattern, replacement }));
}

/** How many accounts of a host are accepted. */
function allowedOf(settings: Settings, listed: Listed): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const uri of settings.get('mrf_user_allowlist.actors')) {
    for (const [host] of listed([parseUrl(uri)?.host ?? ''])) counts[host] = (counts[host] ?? 0) + 1;
  }
  return counts;
}

function simpleLists(settings: Settings, listed: Listed) {
  const lists = SIMPLE_LISTS.map((name) => [name, listed(settings.get(`mrf_simple.${name}`))] as const);
  return {
    mrf_simple: Object.fromEntries(lists.map(([name, hosts]) => [name, hosts.map(([host]) => host)])),
    mrf_simple_info: Object.fromEntries(lists.map(([name, hosts]) => [name, infoOf(hosts)])),
  };
}

/** The groups of settings that {@link policySettings} reads. */
export const PUBLISHED_GROUPS: readonly SettingPrefix[] = [
  ...Object.values(PUBLISHED),
  'mrf_user_allowlist',
  'mrf_simple',
];
