import { ConcurrentIndex } from '../concurrent-index.js';

/** Some servers name a Follow by its id alone when they accept it. */
export class FollowUris1763900040003 extends ConcurrentIndex {
  readonly name = 'FollowUris1763900040003';
  protected readonly index = 'follows_uri';
  protected readonly definition = 'on follows (uri) where uri is not null';
}
