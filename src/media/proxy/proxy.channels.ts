/** Bus channel: digests of URLs whose files must leave the cache. */
export const MEDIA_FORGOTTEN = 'media.forgotten';
