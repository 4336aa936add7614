import { serverNamesOf } from '../../accounts/index.js';
import { listsHost, type SIMPLE_LISTS } from '../../config/index.js';
import { hostOf } from '../wire/uris.js';
import {
  isRemote,
  type Policy,
  type PolicySettings,
  type ServerNames,
  toFollowersOnly,
  toSensitive,
  toUnlisted,
} from './policy.js';

type ListName = (typeof SIMPLE_LISTS)[number];

/** SimplePolicy: what is accepted of which servers. */
export const simplePolicy: Policy = {
  concernsOwn: () => false,

  author(settings) {
    if (settings.get('mrf_simple.reject').length + settings.get('mrf_simple.accept').length === 0) return undefined;
    return (author) => (isBlocked(serverNamesOf(author), settings) ? 'the server of its author is blocked' : undefined);
  },

  refusal({ type, actorUri }, settings, signer) {
    const servers = [hostOf(actorUri) ?? '', ...serverNamesOf(signer)];
    const isListed = listsOf(servers, settings);
    if (type === 'Delete') return isListed('reject_deletes') ? 'deletions of its server are refused' : undefined;
    if (isBlocked(servers, settings)) return 'its server is blocked';
    return type === 'Flag' && isListed('report_removal') ? 'reports of its server are refused' : undefined;
  },

  post(post, settings, parties) {
    if (!isRemote(parties)) return post;
    const servers = serverNamesOf(parties.author);
    const isListed = listsOf(servers, settings);
    let result = post;
    if (isListed('media_removal')) result = { ...result, hasMedia: false };
    if (isListed('media_nsfw')) result = toSensitive(result);
    if (isListed('federated_timeline_removal')) result = toUnlisted(result);
    return isListed('followers_only') ? toFollowersOnly(result) : result;
  },

  profile(profile, settings, servers) {
    const isListed = listsOf(servers, settings);
    return {
      ...profile,
      avatar: isListed('avatar_removal') ? null : profile.avatar,
      header: isListed('banner_removal') ? null : profile.header,
    };
  },
};

/** Whether nothing is exchanged with a server: one of its names is refused, or not among the accepted ones. */
export function isBlocked(servers: ServerNames, settings: PolicySettings): boolean {
  const [refused, accepted] = [settings.get('mrf_simple.reject'), settings.get('mrf_simple.accept')];
  return servers.some((name) => listsHost(refused, name) || (accepted.length > 0 && !listsHost(accepted, name)));
}

/** Whether a list has one of the names of a server. */
function listsOf(servers: ServerNames, settings: PolicySettings): (name: ListName) => boolean {
  return (list) => servers.some((name) => listsHost(settings.get(`mrf_simple.${list}`), name));
}
