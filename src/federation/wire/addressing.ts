import { unique } from '../../common/index.js';
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

/** Reads the addressees. Hidden ones count like the others, but for the public collection: nothing is public in secret (threat F28). */
export function addresseesOf({ to, cc, bto, bcc }: Document): Addressees {
  return { to: [...idsOf(to), ...hidden(bto)], cc: [...idsOf(cc), ...hidden(bcc)] };
}

/**
 * The addressees of a post and of the activity that brings it. An activity opens a post to many, such as the public or the
 * followers, only where the post names nobody at all; else it adds people.
 */
export function jointAddressees(post: Addressees, activity: Addressees, many: readonly (string | null)[]): Addressees {
  if (post.to.length + post.cc.length === 0) return { to: activity.to, cc: activity.cc };
  const people = [...activity.to, ...activity.cc].filter((id) => !many.includes(id));
  return { to: post.to, cc: unique([...post.cc, ...people]) };
}

function hidden(list: unknown): string[] {
  return idsOf(list).filter((id) => id !== PUBLIC);
}

/** The ids in a list of addressees, one for every form of the public collection. */
export function idsOf(list: unknown): string[] {
  return allOf(listOf(list, MAX_ADDRESSEES), (value) => (PUBLIC_FORMS.includes(value) ? PUBLIC : idOf(value)));
}
