/** The addressee "everybody" (ActivityPub §5.6). */
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** The vocabulary of ActivityStreams. */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams';

/** The media type of what we serve. */
export const ACTIVITY_JSON = 'application/activity+json; charset=utf-8';

/** Path of the document that defines the terms we use beside ActivityStreams. */
export const CONTEXT_PATH = '/schemas/litepub-0.1.jsonld';

/** The `@context` of every document we serve. */
export function documentContext(baseUrl: string): unknown[] {
  return [ACTIVITY_STREAMS, `${baseUrl}${CONTEXT_PATH}`, { '@language': 'und' }];
}
