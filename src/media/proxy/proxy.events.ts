/** Bus channel: digests of URLs whose files must leave the cache. */
export const MEDIA_FORGOTTEN = 'media.forgotten';

/** Cached files of other servers must not be shown any more. */
export class MediaForgotten {
  static readonly type = 'media.forgotten';

  /** The digests of their URLs. */
  constructor(readonly digests: readonly string[]) {}
}
