import { ForwardOnly } from '../forward-only.js';

/** When other servers described their accounts as they are stored: older copies change nothing. */
export class DescribedAt1764000180000 extends ForwardOnly {
  readonly name = 'DescribedAt1764000180000';
  protected readonly statements = `alter table accounts add column described_at timestamptz;`;
}
