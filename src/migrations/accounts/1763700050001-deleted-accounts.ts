import { ForwardOnly } from '../forward-only.js';

/** The row of a deleted local account stays, so that its nickname and its address as an actor are never used again. */
export class DeletedAccounts1763700050001 extends ForwardOnly {
  readonly name = 'DeletedAccounts1763700050001';
  protected readonly statements = `
    alter table accounts add column deleted_at timestamptz;
  `;
}
