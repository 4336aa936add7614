import { ListedActors } from './listed-actors.js';
import { isRemote, type Policy, type PolicySettings, type ServerNames } from './policy.js';
import { serverNamesOf } from '../../accounts/index.js';
import { hostOf } from '../wire/uris.js';
import { type Document, documentOf, typeOf } from '../wire/values.js';

const FOLLOWBOT = /^(?:follow|federation|fedi)[-_ ]?bot/i;
const MAX_DEPTH = 3;

/** VocabularyPolicy: types of activities, and of what they are about. */
export const vocabularyPolicy: Policy = {
  refusal({ raw }, settings) {
    const types: string[] = [];
    for (let each: Document | undefined = raw; each && types.length < MAX_DEPTH; each = documentOf(each['object'])) {
      types.push(typeOf(each) ?? '');
    }
    return refusedType(types, settings);
  },
  concernsOwn: () => false,
  post: (post, settings, parties) => (isRemote(parties) ? (refusedType([post.type], settings) ?? post) : post),
};

function refusedType(types: readonly string[], settings: PolicySettings): string | undefined {
  const [accepted, refused] = [settings.get('mrf_vocabulary.accept'), settings.get('mrf_vocabulary.reject')];
  const wrong = types.find((type) => refused.includes(type) || (accepted.length > 0 && !accepted.includes(type)));
  return wrong === undefined ? undefined : `the type ${wrong} is refused`;
}

/** UserAllowListPolicy: of some servers, some accounts. */
export const userAllowListPolicy: Policy = {
  author(settings) {
    const listed = settings.get('mrf_user_allowlist.actors');
    return listed.length === 0
      ? undefined
      : (author) => refusalUnlessListed(author.apId, serverNamesOf(author), listed);
  },
  refusal({ actorUri }, settings, signer) {
    // Another account may forward the activity: the names of its server say nothing about the actor.
    const names = signer.apId === actorUri ? serverNamesOf(signer) : [hostOf(actorUri) ?? ''];
    return refusalUnlessListed(actorUri, names, settings.get('mrf_user_allowlist.actors'));
  },
};

function refusalUnlessListed(actorUri: string, names: ServerNames, listed: readonly string[]): string | undefined {
  const actors = ListedActors.in(listed);
  return actors.hasAnyOf(names) && !actors.has(actorUri) ? 'its actor is not on the list of its server' : undefined;
}

/** AntiFollowbotPolicy: follows by bots, and by those whose names say that they follow every account. */
export const antiFollowbotPolicy: Policy = {
  sparesFollowed: true,
  refusal({ type }, _settings, { nickname, displayName, actorType }) {
    const isBot = actorType === 'Service' || FOLLOWBOT.test(nickname) || FOLLOWBOT.test(displayName);
    return type === 'Follow' && isBot ? 'its actor is a follow bot' : undefined;
  },
};

/** RemoteReportPolicy: all reports, those without an account or a reason, and those about accounts of other servers. */
export const remoteReportPolicy: Policy = {
  refusal({ type, content, objects }, settings, { actorType }, ownHost) {
    if (type !== 'Flag') return undefined;
    if (settings.get('mrf_remote_report.reject_all')) return 'it is a report';
    const isOurs = objects.some((uri) => hostOf(uri) === ownHost);
    if (!isOurs && settings.get('mrf_remote_report.reject_third_party')) return 'it is about another server';
    if (settings.get('mrf_remote_report.reject_empty_message') && (content ?? '').trim() === '')
      return 'it has no text';
    const isAnonymous = actorType === 'Application';
    return isAnonymous && settings.get('mrf_remote_report.reject_anonymous') ? 'it is anonymous' : undefined;
  },
};

/** DropPolicy: nothing passes. */
export const dropPolicy: Policy = {
  author: () => () => 'nothing is accepted',
  refusal: () => 'nothing is accepted',
  post: () => 'nothing is accepted',
  texts: () => 'nothing is accepted',
};

/** NoOpPolicy: everything passes. */
export const noOpPolicy: Policy = {};
