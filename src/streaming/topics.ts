import { type Auth, Forbidden, normalizeDomain, normalizeTag, NotFound, Unauthorized } from '../common/index.js';
import { covers } from '../oauth/index.js';
import { isBigintId } from '../platform/index.js';
import { type FilterPlace, Visibility } from '../statuses/index.js';

/** How a client names a stream: in the query when it connects, later in its events (spec §6.1). */
export type StreamQuery = Readonly<Record<string, unknown>>;

/** A stream that somebody reads. */
export interface Subscription {
  /** What is published: everybody subscribed to one topic gets the same events. */
  readonly topic: string;
  /** The `stream` of its frames as JSON, in the client's own words. */
  readonly label: string;
}

interface Kind {
  /** Tells the streams of a kind apart. */
  readonly argument?: Argument;
  /** Of a stream that belongs to a user: what the token has to cover. */
  readonly scope?: string;
  /** What it is called inside, where that is another name. */
  readonly name?: string;
}

interface Argument {
  readonly key: string;
  /** The form in which it is compared; undefined for a text that names nothing. */
  readonly normal: (text: string) => string | undefined;
}

const MAX_TAG = 128;
const tag: Argument = { key: 'tag', normal: (text) => (text.length > MAX_TAG ? undefined : normalizeTag(text)) };
const instance: Argument = { key: 'instance', normal: normalizeDomain };
const list: Argument = { key: 'list', normal: (text) => (isBigintId(text) ? String(BigInt(text)) : undefined) };

const KINDS: ReadonlyMap<unknown, Kind> = new Map<string, Kind>([
  ['public', {}],
  ['public:media', {}],
  ['public:local', {}],
  ['public:local:media', {}],
  ['public:remote', { argument: instance }],
  ['public:remote:media', { argument: instance }],
  ['hashtag', { argument: tag }],
  ['hashtag:local', { argument: tag }],
  ['user', { scope: 'read:statuses' }],
  ['user:notifications', { scope: 'read:notifications' }],
  ['user:notification', { scope: 'read:notifications', name: 'user:notifications' }],
  ['direct', { scope: 'read:statuses' }],
  ['list', { scope: 'read:lists', argument: list }],
]);

/**
 * The stream that is asked for.
 * @throws NotFound for one that does not exist or lacks its argument, Unauthorized for a user's without a user, Forbidden
 * without the scope
 */
export function openStream(query: StreamQuery, auth: Auth | undefined): Subscription {
  const kind = KINDS.get(query['stream']);
  if (!kind) throw new NotFound('Not found');
  const name = query['stream'] as string;
  const userId = kind.scope === undefined ? undefined : userOf(auth, kind.scope);
  if (!kind.argument) {
    return { topic: [kind.name ?? name, userId].filter(Boolean).join(' '), label: JSON.stringify([name]) };
  }
  const { key, normal } = kind.argument;
  const given = query[key];
  const value = typeof given === 'string' && given !== '' ? normal(given) : undefined;
  if (value === undefined) throw new NotFound('Not found');
  return { topic: `${name} ${value}`, label: JSON.stringify([name, given]) };
}

function userOf(auth: Auth | undefined, scope: string): string {
  if (!auth) throw new Unauthorized();
  if (auth.accountId === null) throw new Unauthorized('This API requires an authenticated user');
  if (!covers(auth.scopes, scope)) throw new Forbidden(`Insufficient permissions: ${scope}.`);
  return auth.accountId;
}

/** The topics of one user. */
export const userTopic = (accountId: string) => `user ${accountId}`;
export const notificationsTopic = (accountId: string) => `user:notifications ${accountId}`;
export const directTopic = (accountId: string) => `direct ${accountId}`;

/** Whether it is the topic of one user's direct posts. */
export const isDirectTopic = (topic: string) => topic.startsWith('direct ');

/** Whose `user` topic it is; undefined for other topics. */
export function userOfTopic(topic: string): string | undefined {
  return topic.startsWith('user ') ? topic.slice('user '.length) : undefined;
}

/** The topic of a list, which only its owner reads. */
export const listTopic = (listId: string) => `list ${listId}`;

/** Which list's topic it is; undefined for other topics. */
export function listOfTopic(topic: string): string | undefined {
  return topic.startsWith('list ') ? topic.slice('list '.length) : undefined;
}

/** Whether it is a topic of what everybody may read. */
export const isOpenTopic = (topic: string) => /^(public|hashtag)\b/.test(topic);

/** As which kind of place a stream counts for filters: those of users, lists and direct posts are as personal as the home timeline. */
export function placeOf(topic: string): FilterPlace {
  return isOpenTopic(topic) ? 'public' : 'home';
}

/** What decides in which open streams a post appears. */
export interface OpenPost {
  readonly visibility: number;
  readonly local: boolean;
  /** Of the author; null for a local one. */
  readonly domain: string | null;
  readonly has_media: boolean;
  /** Normalised names. */
  readonly tags: readonly string[];
}

/** The topics open to everybody in which a post appears: none for one that is not public, or local to this server. */
export function openTopics({ visibility, local, domain, has_media: hasMedia, tags }: OpenPost): string[] {
  const whole = openNames(visibility, local).map((name) => (name === 'public:remote' ? [name, domain] : [name]));
  const media = hasMedia ? whole.map(([name, ...rest]) => [`${name}:media`, ...rest]) : [];
  const tagged = tagNames(visibility, local).flatMap((kind) => tags.map((name) => [kind, name]));
  return [...whole, ...media, ...tagged].map((parts) => parts.join(' '));
}

/** Whether a post that is gone may have appeared in a topic: its tags, media and author's server are forgotten. */
export function mayHaveShown(topic: string, { visibility, local }: Pick<OpenPost, 'visibility' | 'local'>): boolean {
  const [name = ''] = topic.split(' ', 1);
  const names = [...openNames(visibility, local), ...tagNames(visibility, local)];
  return names.includes(name.replace(/:media$/, ''));
}

function openNames(visibility: number, local: boolean): string[] {
  if (visibility === Visibility.public) return ['public', local ? 'public:local' : 'public:remote'];
  return visibility === Visibility.local && local ? ['public:local'] : [];
}

function tagNames(visibility: number, local: boolean): string[] {
  if (visibility !== Visibility.public) return [];
  return local ? ['hashtag', 'hashtag:local'] : ['hashtag'];
}
