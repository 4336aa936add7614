import { BooleanLike, OptionalId, RequiredText } from '../common/index.js';

const MAX_TAG = 128;

/** Which posts of a public stream are wanted. */
export class PublicStreamQuery {
  @BooleanLike() only_media?: boolean;

  /** The stream of those with files beside the one of all. */
  of(stream: 'public' | 'public:local'): string {
    return this.only_media ? `${stream}:media` : stream;
  }
}

export class TagStreamQuery {
  @RequiredText({ max: MAX_TAG }) tag: string;
}

export class ListStreamQuery {
  @OptionalId() list?: string;
}
