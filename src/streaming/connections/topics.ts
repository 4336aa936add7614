import {
  type Auth,
  brandKey,
  Forbidden,
  normalizeDomain,
  normalizeTag,
  NotFound,
  phrase,
  Unauthorized,
} from '../../common/index.js';
import { covers } from '../../oauth/index.js';
import { isBigintId } from '../../platform/index.js';
import { type FilterPlace, ON_LOCAL_TIMELINE, PUBLIC } from '../../statuses/index.js';

/** The name of a stream as a client gives it: in the query of a connection, or in a message (spec §6.1). */
export type StreamQuery = Readonly<Record<string, unknown>>;

/** A stream that a client reads. */
export interface Subscription {
  /** All subscribers of one topic get the same events. */
  readonly topic: string;
  /** The `stream` of its frames as JSON, as the client named it. */
  readonly label: string;
}

interface Kind {
  /** The parameter that distinguishes streams of one kind. */
  readonly argument?: Argument;
  /** The stream also exists without its argument. */
  readonly isArgumentOptional?: boolean;
  /** The scope that a token needs for a stream that belongs to a user. */
  readonly scope?: string;
  /** The name in topics, where it differs from the name of the stream. */
  readonly name?: string;
}

interface Argument {
  readonly key: string;
  /** The normal form of a value; undefined for an invalid value. */
  readonly normal: (text: string) => string | undefined;
}

const MAX_TAG = 128;
const tag: Argument = { key: 'tag', normal: (text) => (text.length > MAX_TAG ? undefined : normalizeTag(text)) };
const instance: Argument = { key: 'instance', normal: normalizeDomain };
const list: Argument = { key: 'list', normal: (text) => (isBigintId(text) ? String(BigInt(text)) : undefined) };

/** The topic of the shoutbox. Clients cannot ask for it as a stream. */
export const SHOUTBOX = 'shoutbox';

/** The stream of chats. */
const CHATS = 'user:svc_chat';

const KINDS: ReadonlyMap<unknown, Kind> = new Map<string, Kind>([
  ['public', {}],
  ['public:media', {}],
  ['public:local', {}],
  ['public:local:media', {}],
  ['public:remote', { argument: instance, isArgumentOptional: true }],
  ['public:remote:media', { argument: instance, isArgumentOptional: true }],
  ['hashtag', { argument: tag }],
  ['hashtag:local', { argument: tag }],
  ['user', { scope: 'read:statuses' }],
  ['user:notifications', { scope: 'read:notifications' }],
  ['user:notification', { scope: 'read:notifications', name: 'user:notifications' }],
  [CHATS, { scope: 'read:chats' }],
  ['direct', { scope: 'read:statuses' }],
  ['list', { scope: 'read:lists', argument: list }],
]);

/**
 * Returns the stream that a client asks for, under the names of the server's brand too.
 * @throws NotFound for a stream that does not exist or lacks its argument, Unauthorized for a user's stream without a
 * user, Forbidden without the scope
 */
export function openStream(query: StreamQuery, auth: Auth | undefined, brand = 'svc'): Subscription {
  const branded = brandKey(brand, CHATS);
  const neutral = query['stream'] === branded ? CHATS : query['stream'];
  const kind = KINDS.get(neutral);
  if (!kind) throw new NotFound('Not found');
  const name = query['stream'] as string;
  const userId = kind.scope === undefined ? undefined : userOf(auth, kind.scope);
  const argument = argumentOf(kind, query);
  if (!argument) {
    return { topic: [kind.name ?? neutral, userId].filter(Boolean).join(' '), label: JSON.stringify([name]) };
  }
  const { key, normal } = argument;
  const given = query[key];
  const value = typeof given === 'string' && given !== '' ? normal(given) : undefined;
  if (value === undefined) throw new NotFound('Not found');
  return { topic: `${name} ${value}`, label: JSON.stringify([name, given]) };
}

/** The argument that a stream needs, or that a client gave to one that exists without too. */
function argumentOf({ argument, isArgumentOptional = false }: Kind, query: StreamQuery): Argument | undefined {
  const isLeftOut = argument !== undefined && isArgumentOptional && (query[argument.key] ?? '') === '';
  return isLeftOut ? undefined : argument;
}

function userOf(auth: Auth | undefined, scope: string): string {
  if (!auth) throw new Unauthorized();
  if (auth.accountId === null) throw new Unauthorized('This API requires an authenticated user');
  if (!covers(auth.scopes, scope))
    throw new Forbidden(phrase('Insufficient permissions: {scopes}.', { scopes: scope }));
  return auth.accountId;
}

/** The topics of one account. */
export const userTopic = (accountId: string) => `user ${accountId}`;
export const notificationsTopic = (accountId: string) => `user:notifications ${accountId}`;
export const chatsTopic = (accountId: string) => `${CHATS} ${accountId}`;
export const directTopic = (accountId: string) => `direct ${accountId}`;

/** Whether a topic carries the direct posts of an account. */
export const isDirectTopic = (topic: string) => topic.startsWith('direct ');

/** The account of a `user` topic; undefined for other topics. */
export function userOfTopic(topic: string): string | undefined {
  return topic.startsWith('user ') ? topic.slice('user '.length) : undefined;
}

/** The topic of a list, which only the owner of the list may read. */
export const listTopic = (listId: string) => `list ${listId}`;

/** The list of a list's topic; undefined for other topics. */
export function listOfTopic(topic: string): string | undefined {
  return topic.startsWith('list ') ? topic.slice('list '.length) : undefined;
}

/** Whether a topic is open to all readers. */
export const isOpenTopic = (topic: string) => /^(public|hashtag)\b/.test(topic);

/** The place whose filters apply to a topic: streams of users, lists and direct posts count as the home timeline. */
export function placeOf(topic: string): FilterPlace {
  return isOpenTopic(topic) ? 'public' : 'home';
}

/** The facts that decide in which open streams a post appears. */
export interface OpenStatus {
  readonly visibility: number;
  readonly local: boolean;
  /** The names of the author's server; none for a local author. */
  readonly servers: readonly string[];
  readonly hasMedia: boolean;
  /** Normalised names. */
  readonly tags: readonly string[];
}

/** The open topics in which a post appears; none unless the post is public, or local to this server. */
export function openTopics({ visibility, local, servers, hasMedia, tags }: OpenStatus): string[] {
  const whole = openNames(visibility, local).flatMap((name) =>
    name === 'public:remote' ? [[name], ...servers.map((server) => [name, server])] : [[name]],
  );
  const media = hasMedia ? whole.map(([name, ...rest]) => [`${name}:media`, ...rest]) : [];
  const tagged = tagNames(visibility, local).flatMap((kind) => tags.map((name) => [kind, name]));
  return [...whole, ...media, ...tagged].map((parts) => parts.join(' '));
}

/** Whether a deleted post may have appeared in a topic. Its tags, media and author's domain are no longer known. */
export function mayHaveShown(topic: string, { visibility, local }: Pick<OpenStatus, 'visibility' | 'local'>): boolean {
  const [name = ''] = topic.split(' ', 1);
  const names = [...openNames(visibility, local), ...tagNames(visibility, local)];
  return names.includes(name.replace(/:media$/, ''));
}

function openNames(visibility: number, local: boolean): string[] {
  if (PUBLIC.includes(visibility)) return ['public', local ? 'public:local' : 'public:remote'];
  return ON_LOCAL_TIMELINE.includes(visibility) && local ? ['public:local'] : [];
}

function tagNames(visibility: number, local: boolean): string[] {
  if (!PUBLIC.includes(visibility)) return [];
  return local ? ['hashtag', 'hashtag:local'] : ['hashtag'];
}
