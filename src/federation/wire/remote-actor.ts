import { parseUrl } from '../../platform/index.js';
import { momentOf } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { descriptionOf } from './attachments.js';
import { parseEmojiTags, pictureUrlOf } from './tags.js';
import { hostOf, sameHost } from './uris.js';
import {
  allOf,
  dateOf,
  type Document,
  documentOf,
  flagOf,
  idOf,
  listOf,
  ownPageOf,
  pastDateOf,
  textOf,
  typeOf,
  uriOf,
} from './values.js';
import { plainWordsOf, wordsOf } from './words.js';

const ACTORS: readonly unknown[] = ['Person', 'Service', 'Application', 'Group', 'Organization'];

const USERNAME = /^[\p{L}\p{N}_.-]{1,255}$/u;
const MAX_KEYS = 8;
const MAX_FIELDS = 100;
const MAX_ALIASES = 20;
const MAX_DOMAINS = 100;
const MAX_PEM = 10_000;
const MAX_DESCRIPTION = 1_500;
/** More than is kept: some servers send HTML. */
const MAX_NAME = 16_000;
const MAX_SUMMARY = 100_000;

/** An actor of another server, as its document describes it. Names and texts are HTML or text, and lengths are loose. */
export interface RemoteActor {
  readonly uri: string;
  readonly type: string;
  readonly username: string;
  readonly name: string;
  readonly summaryHtml: string;
  readonly url: string | null;
  readonly inboxUrl: string;
  readonly sharedInboxUrl: string | null;
  readonly outboxUrl: string | null;
  readonly followersUrl: string | null;
  readonly followingUrl: string | null;
  readonly featuredUrl: string | null;
  readonly avatar: ActorPicture | null;
  readonly header: ActorPicture | null;
  /** Values are HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly emojis: readonly StoredEmoji[];
  readonly keys: readonly RemoteKey[];
  readonly locked: boolean;
  readonly discoverable: boolean;
  /** Null when the server does not say. */
  readonly indexable: boolean | null;
  readonly attributionDomains: readonly string[];
  /** Null when the server does not say. */
  readonly acceptsChatMessages: boolean | null;
  readonly suspended: boolean;
  /** Whether its owner died. */
  readonly memorial: boolean;
  /** Whether it serves machines only, as relays do. */
  readonly invisible: boolean;
  readonly alsoKnownAs: readonly string[];
  readonly movedTo: string | null;
  /** `YYYY-MM-DD`. */
  readonly birthday: string | null;
  readonly publishedAt: Date | null;
  /** When it last changed, as stated, for the order of versions. Null when the server does not say. */
  readonly updatedAt: Date | null;
}

export interface ActorPicture {
  readonly url: string;
  readonly description: string;
}

/** A public key that an actor names as its own. */
export interface RemoteKey {
  readonly id: string;
  /** Null for a key in a document of its own. */
  readonly pem: string | null;
}

export function isActorType(type: unknown): boolean {
  return ACTORS.includes(type);
}

/** Reads an actor document; undefined for anything else. Its inbox and its keys lie on its own server (threat F3). */
export function parseActor(json: unknown): RemoteActor | undefined {
  const actor = documentOf(json);
  const type = typeOf(actor);
  const uri = actorUriOf(actor?.['id']);
  if (!actor || !uri || type === undefined || !isActorType(type)) return undefined;
  const inboxUrl = ownUri(actor['inbox'], uri);
  const username = textOf(actor['preferredUsername']) ?? parseUrl(uri)?.hostname ?? '';
  if (inboxUrl === null || !USERNAME.test(username)) return undefined;
  const keys = keysOf(actor['publicKey'], uri);
  const facts = { ...textsOf(actor), ...statesOf(actor), ...timesOf(actor), ...addressesOf(actor, uri) };
  return { ...facts, uri, type, username, inboxUrl, keys };
}

/** An id that writes its host as SQL reads it (`server-names.ts`): a rule about a server would miss the account otherwise. */
function actorUriOf(id: unknown): string | undefined {
  const uri = uriOf(id);
  return uri !== undefined && uri.split('/')[2]?.toLowerCase() === hostOf(uri) ? uri : undefined;
}

function addressesOf(actor: Document, uri: string) {
  const sharedInbox = documentOf(actor['endpoints'])?.['sharedInbox'] ?? actor['sharedInbox'];
  return {
    url: ownPageOf(actor['url'], uri),
    sharedInboxUrl: ownUri(sharedInbox, uri),
    outboxUrl: ownUri(actor['outbox'], uri),
    followersUrl: ownUri(actor['followers'], uri),
    followingUrl: ownUri(actor['following'], uri),
    featuredUrl: ownUri(actor['featured'], uri),
  };
}

function textsOf(actor: Document) {
  return {
    name: plainWordsOf(actor, 'name', MAX_NAME),
    summaryHtml: wordsOf(actor, 'summary').text.slice(0, MAX_SUMMARY),
    avatar: pictureOf(actor['icon']),
    header: pictureOf(actor['image']),
    fields: listOf(actor['attachment'], MAX_FIELDS).flatMap(fieldOf),
    emojis: parseEmojiTags(actor['tag']),
  };
}

function statesOf(actor: Document) {
  return {
    locked: flagOf(actor['manuallyApprovesFollowers']) ?? false,
    discoverable: flagOf(actor['discoverable']) ?? false,
    indexable: flagOf(actor['indexable']) ?? null,
    attributionDomains: allOf(listOf(actor['attributionDomains'], MAX_DOMAINS), domainOf),
    acceptsChatMessages: flagOf(documentOf(actor['capabilities'])?.['acceptsChatMessages']) ?? null,
    suspended: flagOf(actor['suspended']) ?? false,
    memorial: flagOf(actor['memorial']) ?? false,
    invisible: flagOf(actor['invisible']) ?? false,
    alsoKnownAs: allOf(listOf(actor['alsoKnownAs'], MAX_ALIASES), idOf),
    movedTo: idOf(actor['movedTo']) ?? null,
    birthday: birthdayOf(actor),
  };
}

function birthdayOf(actor: Document): string | null {
  const birthday = textOf(actor['vcard:bday'])?.slice(0, 'YYYY-MM-DD'.length);
  return birthday !== undefined && momentOf(birthday) !== undefined ? birthday : null;
}

function timesOf({ published, updated }: Document) {
  return { publishedAt: pastDateOf(published) ?? null, updatedAt: dateOf(updated) ?? null };
}

/** A host name, as some servers write it, or the host of an address. */
function domainOf(value: unknown): string | undefined {
  const text = textOf(value)?.slice(0, 300);
  return text === undefined ? undefined : parseUrl(`https://${text.replace(/^https?:\/\//i, '')}`)?.hostname;
}

/** An address on the actor's own server; one elsewhere could belong to another actor. */
function ownUri(value: unknown, actorUri: string): string | null {
  const uri = idOf(value);
  return uri !== undefined && sameHost(uri, actorUri) ? uri : null;
}

function pictureOf(value: unknown): ActorPicture | null {
  const picture = listOf(value, 8).find((each) => pictureUrlOf(each) !== undefined);
  const url = pictureUrlOf(picture);
  if (url === undefined) return null;
  return { url, description: descriptionOf(documentOf(picture), MAX_DESCRIPTION) };
}

function fieldOf(value: unknown): { name: string; value: string }[] {
  const field = typeOf(value) === 'PropertyValue' ? documentOf(value) : undefined;
  const name = plainWordsOf(field, 'name', MAX_NAME);
  const text = textOf(field?.['value'])?.slice(0, MAX_PEM);
  return name === '' || text === undefined ? [] : [{ name, value: text }];
}

function keysOf(value: unknown, actorUri: string): RemoteKey[] {
  return listOf(value, MAX_KEYS).flatMap((each) => {
    const key = documentOf(each);
    const id = idOf(each);
    const pem = textOf(key?.['publicKeyPem']) ?? null;
    const isOwn = idOf(key?.['owner'] ?? actorUri) === actorUri && id !== undefined && sameHost(id, actorUri);
    return isOwn && (pem?.length ?? 0) <= MAX_PEM ? [{ id, pem }] : [];
  });
}
