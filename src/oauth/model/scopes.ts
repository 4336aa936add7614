const READ = [
  'accounts',
  'blocks',
  'bookmarks',
  'chats',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'search',
  'security',
  'statuses',
];

const WRITE = [
  'accounts',
  'blocks',
  'bookmarks',
  'chats',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'scrobbles',
  'security',
  'statuses',
];

const ADMIN = ['accounts', 'chats', 'follows', 'invites', 'media_proxy_caches', 'reports', 'statuses'];

/** The scopes that the legacy scope `follow` opens, reading and writing. */
const RELATIONS = ['follows', 'blocks', 'mutes'];

/** Every scope an app may register. */
export const KNOWN_SCOPES: readonly string[] = [
  ...family('read', READ),
  ...family('write', WRITE),
  'follow',
  'push',
  'profile',
  'admin',
  ...family('admin:read', ADMIN),
  ...family('admin:write', ADMIN),
];

const FOLLOW_OPENS = new Set(RELATIONS.flatMap((relation) => [`read:${relation}`, `write:${relation}`]));

/**
 * The distinct scopes of a `scope` parameter, which apps separate by spaces, commas or plus signs, or send as a list.
 */
export function parseScopes(given: string | readonly string[]): string[] {
  const texts = typeof given === 'string' ? [given] : given;
  return [...new Set(texts.flatMap((text) => text.split(/[\s,+]+/).filter(Boolean)))];
}

/** Those of the scopes that this server knows. */
export function knownScopes(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => KNOWN_SCOPES.includes(scope));
}

/**
 * Whether a set of scopes holds a scope or its parent: `write` covers `write:statuses`, `admin` all of administration.
 */
export function holds(granted: readonly string[], scope: string): boolean {
  return granted.some((parent) => scope === parent || scope.startsWith(`${parent}:`));
}

/** Whether a token covers a scope. On top of {@link holds}, `follow` opens the older relation routes. */
export function covers(granted: readonly string[], wanted: string): boolean {
  return holds(granted, wanted) || (FOLLOW_OPENS.has(wanted) && granted.includes('follow'));
}

/** Whether a token covers one of several scopes; true when none is needed. */
export function coversAny(granted: readonly string[], anyOf: readonly string[]): boolean {
  return anyOf.length === 0 || anyOf.some((wanted) => covers(granted, wanted));
}

/**
 * The granted ones of the requested scopes: unknown ones are dropped, as they are when an app registers. Undefined when
 * one was not registered, or none is left. Without a request the app gets all it registered. Only those who `mayAdminister` get scopes of administration: web
 * frontends ask for them for all users (threat O7).
 */
export function grantedScopes(
  requested: readonly string[],
  registered: readonly string[],
  mayAdminister: boolean,
): readonly string[] | undefined {
  const wanted = knownScopes(requested.length > 0 ? requested : registered);
  if (!wanted.every((scope) => holds(registered, scope))) return undefined;
  const granted = wanted.filter((scope) => mayAdminister || !holds(['admin'], scope));
  return granted.length > 0 ? granted : undefined;
}

function family(parent: string, children: readonly string[]): string[] {
  return [parent, ...children.map((child) => `${parent}:${child}`)];
}
