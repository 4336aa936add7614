import { listsHost, type SIMPLE_LISTS } from '../../config/index.js';
import { hostOf } from '../wire/uris.js';
import { isRemote, NSFW, type Policy, type PolicySettings, toFollowersOnly, toUnlisted } from './policy.js';

type ListName = (typeof SIMPLE_LISTS)[number];

/** SimplePolicy: what is accepted of which servers. */
export const simplePolicy: Policy = {
  concernsOwn: () => false,

  refusal({ type, actorUri }, settings) {
    const isListed = listsOf(actorUri, settings);
    if (type === 'Delete') return isListed('reject_deletes') ? 'deletions of its server are refused' : undefined;
    if (isBlocked(hostOf(actorUri) ?? '', settings)) return 'its server is blocked';
    return type === 'Flag' && isListed('report_removal') ? 'reports of its server are refused' : undefined;
  },

  post(post, settings, parties) {
    if (!isRemote(parties)) return post;
    const isListed = listsOf(parties.author.ap_id, settings);
    let result = post;
    if (isListed('media_removal')) result = { ...result, hasMedia: false };
    if (isListed('media_nsfw')) result = { ...result, sensitive: true, hashtags: [...result.hashtags, NSFW] };
    if (isListed('federated_timeline_removal')) result = toUnlisted(result);
    return isListed('followers_only') ? toFollowersOnly(result) : result;
  },

  profile(profile, settings) {
    const isListed = listsOf(profile.uri, settings);
    return {
      ...profile,
      avatar: isListed('avatar_removal') ? null : profile.avatar,
      header: isListed('banner_removal') ? null : profile.header,
    };
  },
};

/** Whether nothing is exchanged with a server. */
export function isBlocked(host: string, settings: PolicySettings): boolean {
  const accepted = settings.get('mrf_simple.accept');
  return listsHost(settings.get('mrf_simple.reject'), host) || (accepted.length > 0 && !listsHost(accepted, host));
}

/** Whether a list names the server of an address. */
function listsOf(uri: string, settings: PolicySettings): (name: ListName) => boolean {
  const host = hostOf(uri) ?? '';
  return (name) => listsHost(settings.get(`mrf_simple.${name}`), host);
}
