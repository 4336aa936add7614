/** Bus channel: the figures about the server, and the list of other servers, were taken anew. */
export const TOTALS_REFRESHED = 'instance.totals';

/** Bus channel: somebody who may be shown as one of those who run the server has changed. */
export const STAFF_CHANGED = 'instance.staff';

/** Bus channel: the rules of the server have changed. */
export const RULES_CHANGED = 'instance.rules';
