import { parseUrl } from '../../platform/index.js';

/** The public collection as an addressee (ActivityPub §5.6). */
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** The vocabulary of ActivityStreams. */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams';

/** The media type of our documents. */
export const ACTIVITY_JSON = 'application/activity+json; charset=utf-8';

/** The same as JSON-LD, as links name it. */
export const ACTIVITY_LD_JSON = `application/ld+json; profile="${ACTIVITY_STREAMS}"`;

/** The path of the document that defines our terms beyond ActivityStreams. */
export const CONTEXT_PATH = '/schemas/litepub-0.1.jsonld';

/** The `@context` of all our documents. It names no language: readers that compact would find `nameMap` for `name`. */
export function documentContext(baseUrl: string): unknown[] {
  return [ACTIVITY_STREAMS, `${baseUrl}${CONTEXT_PATH}`];
}

/** The collection of the followers of a local actor. */
export function followersOf(actor: string): string {
  return `${actor}/followers`;
}

/** The collection of the followers of a local actor that live on the server of the reader. */
export function synchronizationOf(actor: string): string {
  return `${actor}/followers_synchronization`;
}

/** The host of an address, with its port. */
export function hostOf(uri: string): string | undefined {
  return parseUrl(uri)?.host;
}

/** Whether two addresses lie on the same server (threat F5). */
export function sameHost(uri: string, other: string): boolean {
  const host = hostOf(uri);
  return host !== undefined && host === hostOf(other);
}
