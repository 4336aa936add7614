import { ForwardOnly } from '../forward-only.js';

/** Bounds how far the home feed of a reader is continued downwards in a day, and lets a fan-out add to what is continued. */
export class FeedDepth1764000240000 extends ForwardOnly {
  readonly name = 'FeedDepth1764000240000';
  protected readonly statements = `alter table users add column feed_deepened_at timestamptz;`;
}
