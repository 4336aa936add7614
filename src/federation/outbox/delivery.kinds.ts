import { job } from '../../platform/index.js';

/** Delivers to a host that was reached before. */
export const DeliverHost = job<{ host: string }>('deliver.host', 'deliver');

/**
 * Delivers to a host that was never reached, or not lately: in a queue of its own, so that dead hosts take no room from
 * the others.
 */
export const ProbeHost = job<{ host: string }>('deliver.probe-host', 'probe');

/** One job for each host: at most one process delivers to it. */
export const hostKey = (host: string): string => `deliver:${host}`;
