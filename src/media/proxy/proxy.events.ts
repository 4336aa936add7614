/** What is kept of some files of other servers is not to be shown any more. */
export class MediaForgotten {
  static readonly type = 'media.forgotten';

  /** Of their URLs. */
  constructor(readonly digests: readonly string[]) {}
}
