import { createHash } from 'node:crypto';
import { addresseesOf, type Addressees } from './addressing.js';
import { sameHost } from './uris.js';
import {
  allOf,
  type Document,
  documentOf,
  firstOf,
  idOf,
  listOf,
  pastDateOf,
  textOf,
  typeOf,
  uriOf,
} from './values.js';
import { wordsOf } from './words.js';

/** Accounts and posts in one report. */
const MAX_OBJECTS = 200;
const MAX_CONTENT = 10_000;
/** An Announce of an Undo of a Like. */
const MAX_DEPTH = 3;

/** The types that some servers send without an id: the same content twice is one activity, or changes nothing. */
const WITHOUT_ID: readonly string[] = ['Flag', 'Accept', 'Reject', 'Add', 'Remove'];

/** The types that end what an account did or agreed to. */
const RETRACTIONS: readonly string[] = ['Delete', 'Undo', 'Reject', 'Remove', 'Block'];

/**
 * Whether an activity ends something. These count of deactivated accounts too, here and elsewhere: nobody sends them again when the
 * account is activated, and what was to end would be back.
 */
export function isRetraction({ type }: { readonly type: string }): boolean {
  return RETRACTIONS.includes(type);
}

/**
 * Whether an activity says that its actor is there: these bring an account back that its server deleted, and no late Create does.
 */
export function isReturn({ type, actorUri, object: { activity } }: Activity): boolean {
  const isRestored = type === 'Undo' && activity?.type === 'Delete' && activity.object.uri === actorUri;
  return isRestored || type === 'Follow';
}

/** The names that Misskey once gave to reactions. */
const MISSKEY_NAMES: Readonly<Record<string, string>> = {
  like: '👍',
  love: '❤',
  laugh: '😆',
  hmm: '🤔',
  surprise: '😮',
  congrats: '🎉',
  angry: '💢',
  confused: '😥',
  rip: '😇',
  pudding: '🍮',
  star: '⭐',
};

/** An activity of another server. */
export interface Activity extends Addressees {
  /** On the actor's server; of an embedded activity on any, and empty without one: its actor and object are what counts. */
  readonly id: string;
  readonly type: string;
  readonly actorUri: string;
  /** The object of the activity, the first of several. */
  readonly object: ActivityObject;
  /** The ids of everything that it is about. */
  readonly objects: readonly string[];
  readonly targetUri: string | null;
  readonly published: Date | null;
  /** The text of a report, or the emoji of a reaction. */
  readonly content: string | null;
  readonly tag: unknown;
  readonly raw: Document;
}

export interface ActivityObject {
  /** Empty for an embedded one without an id. */
  readonly uri: string;
  /** The embedded document. */
  readonly json?: Document;
  /** The embedded activity, such as what an Undo undoes. */
  readonly activity?: Activity;
}

/** Reads an activity; undefined for anything else, and for one whose id lies on another server than its actor. */
export function parseActivity(json: unknown): Activity | undefined {
  const activity = read(json, 1);
  return activity?.id === '' ? undefined : activity;
}

/**
 * The id of the post that an Announce is of: groups announce whole activities, and then it is the object of a Create or Update.
 * Undefined for votes, locks and whatever else they pass on.
 */
export function announcedStatus({ object: { uri, activity } }: Activity): string | undefined {
  if (activity?.raw['object'] === undefined) return uri; // the post itself, which names its actor in Pleroma and Akkoma
  const isPost = activity.type === 'Create' || activity.type === 'Update';
  return isPost && activity.object.uri !== '' ? activity.object.uri : undefined;
}

/** The id of a featured post: named, or embedded. Undefined for a hashtag: no route shows featured ones (spec §4.3). */
export function featuredStatus(value: unknown): string | undefined {
  return typeOf(value) === 'Hashtag' ? undefined : idOf(value);
}

/** The emoji of a reaction of Misskey, which sends it as a Like: Unicode, or `:name:`. */
export function misskeyEmoji(raw: Document): string | undefined {
  const emoji = textOf(raw['_misskey_reaction']);
  if (emoji === undefined || emoji === '' || emoji.length > MAX_CONTENT) return undefined;
  return (Object.hasOwn(MISSKEY_NAMES, emoji) && MISSKEY_NAMES[emoji]) || emoji.replace(/^❤\uFE0F$/, '❤');
}

/** `undoer` is the actor of an embedded activity that names none: an Undo is of what its own actor did. */
function read(json: unknown, depth: number, undoer?: string): Activity | undefined {
  const raw = documentOf(json);
  const type = typeOf(raw);
  const actorUri = firstOf(listOf(raw?.['actor'], 4), idOf) ?? undoer;
  if (!raw || type === undefined || actorUri === undefined) return undefined;
  const given = uriOf(raw['id']);
  if (depth === 1 && given !== undefined && !sameHost(given, actorUri)) return undefined; // before the work
  const facts = factsOf(raw);
  const { objects, content } = facts;
  const id = given ?? (depth === 1 ? idFor(actorUri, type, [...objects, content]) : '');
  const object = objectOf(listOf(raw['object'], 1)[0], depth, type === 'Undo' ? actorUri : undefined);
  return { ...facts, id, type, actorUri, object };
}

function factsOf(raw: Document) {
  return {
    ...addresseesOf(raw),
    objects: allOf(listOf(raw['object'], MAX_OBJECTS), idOf),
    targetUri: firstOf(listOf(raw['target'], 1), idOf) ?? null,
    published: pastDateOf(raw['published']) ?? null,
    content: wordsOf(raw, 'content').text.slice(0, MAX_CONTENT) || null,
    tag: raw['tag'],
    raw,
  };
}

function objectOf(value: unknown, depth: number, undoer: string | undefined): ActivityObject {
  const uri = idOf(value) ?? '';
  const json = documentOf(value);
  if (!json) return { uri };
  const activity = depth < MAX_DEPTH ? read(json, depth + 1, undoer) : undefined;
  return { uri, json, ...(activity ? { activity } : {}) };
}

/** An id that follows from the content, for types that need none: the same activity twice is one. */
function idFor(actorUri: string, type: string, content: readonly unknown[]): string {
  if (!WITHOUT_ID.includes(type)) return '';
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${actorUri.replace(/#.*$/, '')}#${type}/${digest}`;
}
