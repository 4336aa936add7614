import type { Activity } from './activity.js';
import { idOf } from './values.js';

/** What follows the id of a quoting post in the id of the request for consent to its quote. */
const REQUEST = '#quote-request';

/** The id of the request for consent to the quote of a local post (FEP-044f). */
export const quoteRequestUri = (quotingUri: string): string => `${quotingUri}${REQUEST}`;

/** The post that a QuoteRequest wants to quote another in. */
export function instrumentOf({ raw }: Activity): string | undefined {
  return idOf(raw['instrument']);
}

/** The quoting post whose request an Accept or Reject answers: embedded, or by its id. */
export function requestedStatus({ object: { uri, activity } }: Activity): string | undefined {
  if (activity?.type === 'QuoteRequest') return instrumentOf(activity);
  return uri.endsWith(REQUEST) ? uri.slice(0, -REQUEST.length) : undefined;
}
