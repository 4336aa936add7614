import { isUnexpired, ownBlockPairs } from '../../accounts/index.js';
import { cte, type Fragment, fragment } from '../../platform/index.js';

/** The accounts that a receiver mutes. */
export function mutedAccounts(receiver: string): Fragment {
  const mutes = `mutes where account_id = ${receiver} and ${isUnexpired('mutes')}`;
  return cte('muted_accounts', `select target_id as id, notifications from ${mutes}`);
}

/** Those of them whose notifications are muted too. */
export function silencedAccounts(receiver: string): Fragment {
  return cte('silenced_accounts', fragment`select id from ${mutedAccounts(receiver)} where notifications`);
}

/**
 * The accounts that a receiver blocks; not those that block the receiver: they must not keep away what others write to
 * the receiver.
 */
export function refusedAccounts(receiver: string): Fragment {
  const own = ownBlockPairs(
    (table, owner, hidden) => `select ${hidden} as id from ${table} where ${owner} = ${receiver}`,
  );
  return cte('refused_accounts', own);
}
