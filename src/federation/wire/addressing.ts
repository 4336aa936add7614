import { PUBLIC } from './uris.js';
import { allOf, type Document, idOf, listOf } from './values.js';

/** More addressees are not read (threat F13). */
const MAX_ADDRESSEES = 1_000;

/** The spellings of the public collection. */
const PUBLIC_FORMS: readonly unknown[] = [PUBLIC, 'as:Public', 'Public'];

/** The addressees of an object or an activity, as ids; the public collection in one spelling. */
export interface Addressees {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Reads the addressees; hidden ones count like the others. */
export function addresseesOf({ to, cc, bto, bcc }: Document): Addressees {
  return { to: idsOf(to, bto), cc: idsOf(cc, bcc) };
}

function idsOf(...lists: readonly unknown[]): string[] {
  const ids = lists.flatMap((list) => listOf(list, MAX_ADDRESSEES));
  return allOf(ids, (value) => (PUBLIC_FORMS.includes(value) ? PUBLIC : idOf(value)));
}
