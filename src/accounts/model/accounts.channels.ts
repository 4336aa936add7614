/** Announces on the bus that remote accounts may look different, since data about their servers changed. */
export const HOST_FACTS_CHANGED = 'accounts.host-facts-changed';
