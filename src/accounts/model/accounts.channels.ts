/** Says over the bus that accounts of other servers may look different, since something about their servers changed. */
export const HOST_FACTS_CHANGED = 'accounts.host-facts-changed';
