/** Bus channel: the server's totals and the list of other servers were refreshed. */
export const TOTALS_REFRESHED = 'instance.totals';

/** Bus channel: an account of the staff that may be publicly shown has changed. */
export const STAFF_CHANGED = 'instance.staff';

/** Bus channel: the rules of the server have changed. */
export const RULES_CHANGED = 'instance.rules';
