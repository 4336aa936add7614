import { ForwardOnly } from '../forward-only.js';

/**
 * A deleted account of another server returns if that server deleted it, which `suspended_by_server` says from now on. Of those
 * deleted before it is not known: they stay away.
 */
export class ReturningAccounts1764000326001 extends ForwardOnly {
  readonly name = 'ReturningAccounts1764000326001';
  protected readonly statements = `
    update accounts set suspended_by_server = false where deleted_at is not null and suspended_by_server;
  `;
}
