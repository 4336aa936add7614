import { ForwardOnly } from '../forward-only.js';

/** When an account moved: it may move again after a week only. */
export class MoveTimes1764000150100 extends ForwardOnly {
  readonly name = 'MoveTimes1764000150100';
  protected readonly statements = `alter table accounts add column moved_at timestamptz;`;
}
