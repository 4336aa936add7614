import { ForwardOnly } from '../forward-only.js';

/** Finds the follows of an account in any state, which also a removal of the account looks for. */
export class Followees1764000228001 extends ForwardOnly {
  readonly name = 'Followees1764000228001';
  protected readonly statements = `
    create index follows_followee on follows (followee_id);`;
}
