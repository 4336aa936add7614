import type { AccountField } from '../../accounts/index.js';
import { withoutVouching } from '../../common/index.js';
import type { EmojiTag } from '../../emoji/index.js';
import { documentContext } from '../wire/uris.js';
import { emojiTag } from './note.js';

/** The stored data of an actor document. */
export interface ActorSource {
  readonly id: string;
  readonly nickname: string;
  readonly apId: string;
  readonly actorType: string;
  readonly displayName: string;
  readonly noteHtml: string;
  readonly fields: readonly AccountField[];
  readonly avatarUrl: string | null;
  readonly avatarDescription: string;
  readonly headerUrl: string | null;
  readonly headerDescription: string;
  readonly locked: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean | null;
  readonly attributionDomains: readonly string[];
  readonly acceptsChatMessages: boolean | null;
  readonly alsoKnownAs: readonly string[];
  readonly movedTo: string | null;
  readonly birthday: string | null;
  readonly showBirthday: boolean;
  readonly createdAt: string;
  readonly publicPem: string;
}

/** The context of an actor document. */
export interface ActorContext {
  readonly baseUrl: string;
  /** The domain of the handle. */
  readonly handleDomain: string;
  /** The address of a stored picture. */
  readonly pictureUrl: (stored: string) => string;
  /** The custom emoji in its texts. */
  readonly emojis: readonly EmojiTag[];
}

/** The ActivityPub document of a local account (ActivityPub §4.1). */
export function actorDocument(
  account: ActorSource,
  { baseUrl, handleDomain, pictureUrl, emojis }: ActorContext,
): Record<string, unknown> {
  const id = account.apId;
  const picture = (key: 'icon' | 'image', stored: string | null, description: string) =>
    stored === null ? {} : { [key]: pictureObject(pictureUrl(stored), description) };
  return {
    '@context': documentContext(baseUrl),
    id,
    type: account.actorType,
    preferredUsername: account.nickname,
    webfinger: `${account.nickname}@${handleDomain}`,
    name: account.displayName || account.nickname,
    summary: withoutVouching(account.noteHtml),
    url: id,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: `${id}/collections/featured`,
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: account.publicPem },
    endpoints: endpoints(baseUrl),
    manuallyApprovesFollowers: account.locked,
    discoverable: account.discoverable,
    ...(account.indexable === null ? {} : { indexable: account.indexable }),
    ...(account.attributionDomains.length === 0 ? {} : { attributionDomains: account.attributionDomains }),
    interactionPolicy: { canFeature: { automaticApproval: [id] } }, // nobody else
    capabilities: { acceptsChatMessages: account.acceptsChatMessages ?? true },
    alsoKnownAs: account.alsoKnownAs,
    ...(account.movedTo === null ? {} : { movedTo: account.movedTo }),
    ...picture('icon', account.avatarUrl, account.avatarDescription),
    ...picture('image', account.headerUrl, account.headerDescription),
    attachment: account.fields.map(({ name, value }) => ({ type: 'PropertyValue', name, value })),
    tag: emojis.map(emojiTag),
    published: account.createdAt,
    ...(account.showBirthday && account.birthday !== null ? { 'vcard:bday': account.birthday } : {}),
  };
}

/** The part of an actor document that other servers need to verify signatures, without the profile. */
export function keyDocument(actor: Record<string, unknown>): Record<string, unknown> {
  const names = ['@context', 'id', 'type', 'preferredUsername', 'inbox', 'publicKey'];
  return Object.fromEntries(names.map((name) => [name, actor[name]]));
}

function endpoints(baseUrl: string): Record<string, string> {
  return {
    sharedInbox: `${baseUrl}/inbox`,
    oauthTokenEndpoint: `${baseUrl}/oauth/token`,
    oauthRegistrationEndpoint: `${baseUrl}/api/v1/apps`,
  };
}

function pictureObject(url: string, description: string): Record<string, unknown> {
  return { type: 'Image', url, ...(description === '' ? {} : { name: description }) };
}
