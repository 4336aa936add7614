// Routes also match names in capital letters, so rules about paths ignore the case.
const API = /^\/api(\/|$)/i;

/** Whether a path belongs to the APIs: an unknown one is "not implemented" (spec §7). */
export function isApiPath(path: string): boolean {
  return API.test(path);
}

/** Whether a path is one that the reference has too, not one of this service's own API. */
export function isReferencePath(path: string): boolean {
  return isApiPath(path) && !/^\/api\/(?:v[12]\/)?svc\//i.test(path);
}

/** First segments of addresses for remote servers and browser apps: federation, discovery, feeds and files. */
const OPEN_TO_APPS =
  /^\/(\.well-known|nodeinfo|users|tags|objects|activities|contexts|schemas|inbox|relay|internal\/fetch|media|proxy|images)(\/|$)/i;

/** The endpoints below /oauth that scripts of apps call. The others are login pages. */
const OAUTH_FOR_APPS = /^\/oauth\/(token|revoke|userinfo|mfa\/challenge)\/?$/i;

/** Whether scripts of any origin may call a path (threat H21). */
export function isOpenToApps(path: string): boolean {
  return isApiPath(path) || OPEN_TO_APPS.test(path) || OAUTH_FOR_APPS.test(path);
}

/** Whether a path is for browsers: every path that is no endpoint for apps. */
export function isForReaders(path: string): boolean {
  return !isApiPath(path) && !OAUTH_FOR_APPS.test(path);
}

/** Paths that some apps call with a meaningless suffix: the answer is JSON anyway. Any brand may precede `emoji`. */
const SUFFIXED = /^(\/api\/oauth_tokens|\/api\/(?:v1\/)?\w+\/emoji|\/nodeinfo\/[\d.]+?)\.json(?=\/?(?:\?|$))/;

/** A feed: the address of the account with a suffix. */
const FEED_OF_PROFILE = /^\/(?:users\/|@)([^/?.]+)\.(rss|atom)(?=\/?(?:\?|$))/;

/**
 * A request target in the form of the routes: without `.json` where apps append it, with `/feed` before `.rss` and
 * `.atom`.
 */
export function withoutSuffix(target: string): string {
  if (!target.includes('.')) return target;
  return target.replace(SUFFIXED, '$1').replace(FEED_OF_PROFILE, '/users/$1/feed.$2');
}

/** The page of a hashtag. */
export function tagUrl(baseUrl: string, name: string): string {
  return `${baseUrl}/tag/${encodeURIComponent(name)}`;
}

/** The page of a local account. */
export function profileUrl(baseUrl: string, nickname: string): string {
  return `${baseUrl}/@${nickname}`;
}
