import { isFollowed } from '../../accounts/index.js';
import { StatusFlag } from './status.flags.js';

/** Who a status is for, as stored (spec §10.8). */
export const Visibility = { public: 0, unlisted: 1, private: 2, direct: 3, local: 4, list: 5 } as const;

export type VisibilityName = keyof typeof Visibility;

const NAMES = Object.keys(Visibility) as VisibilityName[]; // in the order of their numbers

/** The API's name of a stored visibility. */
export function visibilityName(visibility: number): VisibilityName {
  const name = NAMES[visibility];
  if (name === undefined) throw new Error(`No visibility has the number ${visibility}`);
  return name;
}

/**
 * A class of visibilities: as a function of a stored visibility, as an SQL condition on one, and on a row of
 * `statuses`.
 */
function visibilityClass(...names: readonly VisibilityName[]) {
  const members: readonly number[] = names.map((name) => Visibility[name]);
  const list = members.join(', ');
  const sqlOf = (visibility: string) =>
    members.length === 1 ? `${visibility} = ${list}` : `${visibility} in (${list})`;
  return {
    includes: (visibility: number): boolean => members.includes(visibility),
    sqlOf,
    sql: (row: string): string => sqlOf(`${row}.visibility`),
  };
}

export const PUBLIC = visibilityClass('public');
export const DIRECT = visibilityClass('direct');
export const LIST = visibilityClass('list');
/** Not federated. */
export const LOCAL_ONLY = visibilityClass('local');
export const FOLLOWERS_ONLY = visibilityClass('private');
/** Everyone may read it, without signing in, on this server and on others. */
export const PUBLIC_OR_UNLISTED = visibilityClass('public', 'unlisted');
/** Delivered to all local and remote followers of the author. */
export const FOR_FOLLOWERS = visibilityClass('public', 'unlisted', 'private');
/** Every user of this server may read it. */
export const OPEN_TO_USERS = visibilityClass('public', 'unlisted', 'local');
/** Shown on the timeline of this server. */
export const ON_LOCAL_TIMELINE = visibilityClass('public', 'local');
/** Only addressees may know of it, so public counters leave it out. */
export const ADDRESSED_ONLY = visibilityClass('direct', 'list');

/**
 * The one rule of who may read a status, as an SQL condition. `status` is the alias of a row of `statuses`, `viewer`
 * the placeholder of the viewer's account id, `''` for anonymous callers. A boost needs it twice: for its own row and
 * for the post. Per-row look-ups are scalar sub-selects: written as `exists` they would become a hash of everything the
 * viewer has.
 */
export function maySee(status: string, viewer = '$1'): string {
  const author = `${status}.author_id`;
  return `(not ${isDeactivated(author)} and (
    ${PUBLIC_OR_UNLISTED.sql(status)}
    or ${author} = ${viewer}
    or ${LOCAL_ONLY.sql(status)} and ${viewer} <> ''
    or ${FOLLOWERS_ONLY.sql(status)} and ${isFollowed(author, viewer)}
    or ${status}.flags & ${StatusFlag.mentions} <> 0 and ${isAddressed(status, viewer)}))`;
}

/** Whether a status addresses the viewer: an SQL condition. */
function isAddressed(status: string, viewer = '$1'): string {
  return `coalesce((select true from mentions z where z.status_id = ${status}.id and z.account_id = ${viewer}), false)`;
}

/** Whether an account is deactivated, and its content hidden: an SQL condition. Index: accounts_deactivated. */
export function isDeactivated(account: string): string {
  return `coalesce((select true from accounts z where z.id = ${account} and z.deactivated_at is not null), false)`;
}
