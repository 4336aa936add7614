/** Announces on the bus that remote accounts may look different, since data about their servers changed. */
export const REMOTE_INSTANCES_CHANGED = 'accounts.remote-instances-changed';
