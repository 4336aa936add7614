import type { AccountField } from '../../accounts/index.js';
import { withoutVouching } from '../../common/index.js';
import type { EmojiTag } from '../../emoji/index.js';
import { documentContext } from '../wire/uris.js';
import { emojiTag } from './note.js';

/** The stored data of an actor document. */
export interface ActorSource {
  readonly id: string;
  readonly nickname: string;
  readonly ap_id: string;
  readonly actor_type: string;
  readonly display_name: string;
  readonly note_html: string;
  readonly fields: readonly AccountField[];
  readonly avatar_url: string | null;
  readonly avatar_description: string;
  readonly header_url: string | null;
  readonly header_description: string;
  readonly locked: boolean;
  readonly discoverable: boolean;
  readonly indexable: boolean | null;
  readonly attribution_domains: readonly string[];
  readonly accepts_chat_messages: boolean | null;
  readonly also_known_as: readonly string[];
  readonly moved_to: string | null;
  readonly birthday: string | null;
  readonly show_birthday: boolean;
  readonly created_at: string;
  readonly public_pem: string;
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
  const id = account.ap_id;
  const picture = (key: 'icon' | 'image', stored: string | null, description: string) =>
    stored === null ? {} : { [key]: pictureObject(pictureUrl(stored), description) };
  return {
    '@context': documentContext(baseUrl),
    id,
    type: account.actor_type,
    preferredUsername: account.nickname,
    webfinger: `${account.nickname}@${handleDomain}`,
    name: account.display_name || account.nickname,
    summary: withoutVouching(account.note_html),
    url: id,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: `${id}/collections/featured`,
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: account.public_pem },
    endpoints: endpoints(baseUrl),
    manuallyApprovesFollowers: account.locked,
    discoverable: account.discoverable,
    ...(account.indexable === null ? {} : { indexable: account.indexable }),
    ...(account.attribution_domains.length === 0 ? {} : { attributionDomains: account.attribution_domains }),
    interactionPolicy: { canFeature: { automaticApproval: [id] } }, // nobody else
    capabilities: { acceptsChatMessages: account.accepts_chat_messages ?? true },
    alsoKnownAs: account.also_known_as,
    ...(account.moved_to === null ? {} : { movedTo: account.moved_to }),
    ...picture('icon', account.avatar_url, account.avatar_description),
    ...picture('image', account.header_url, account.header_description),
    attachment: account.fields.map(({ name, value }) => ({ type: 'PropertyValue', name, value })),
    tag: emojis.map(emojiTag),
    published: account.created_at,
    ...(account.show_birthday && account.birthday !== null ? { 'vcard:bday': account.birthday } : {}),
  };
}

/** The part of an actor document that other servers need to verify signatures, without the profile. */
export function keyDocument(actor: Record<string, unknown>): Record<string, unknown> {
  const kept = ['@context', 'id', 'type', 'preferredUsername', 'inbox', 'publicKey'];
  return Object.fromEntries(kept.map((name) => [name, actor[name]]));
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
