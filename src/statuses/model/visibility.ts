import { FOLLOWERS_ONLY, isFollowed, LOCAL_ONLY, PUBLIC_OR_UNLISTED } from '../../accounts/index.js';
import { StatusFlag } from './status.flags.js';

export {
  ADDRESSED_ONLY,
  DIRECT,
  FOLLOWERS_ONLY,
  FOR_FOLLOWERS,
  LIST,
  LOCAL_ONLY,
  ON_LOCAL_TIMELINE,
  ON_OTHER_STREAMS,
  OPEN_TO_USERS,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  Visibility,
  type VisibilityName,
  visibilityName,
} from '../../accounts/index.js';

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

/**
 * Whether the numbers of a post, which everybody sees, count a reply or a quote: only where everybody who may read the
 * post may read it too, so that no number stands above an empty thread. `reference` and `post` are rows of `statuses`.
 */
export function isCountedIn(reference: string, post: string): string {
  return `(${PUBLIC_OR_UNLISTED.sql(reference)} or ${LOCAL_ONLY.sql(reference)} and ${LOCAL_ONLY.sql(post)})`;
}

/** The same for stored visibilities; undefined and null stand for a post that is not known here. */
export function countsIn(reference: number, post: number | null | undefined): boolean {
  return PUBLIC_OR_UNLISTED.includes(reference) || (LOCAL_ONLY.includes(reference) && reference === post);
}

/** Whether a status addresses the viewer: an SQL condition. */
function isAddressed(status: string, viewer = '$1'): string {
  return `coalesce((select true from mentions z where z.status_id = ${status}.id and z.account_id = ${viewer}), false)`;
}

/** Whether an account is deactivated, and its content hidden: an SQL condition. Index: accounts_deactivated. */
export function isDeactivated(account: string): string {
  return `coalesce((select true from accounts z where z.id = ${account} and z.deactivated_at is not null), false)`;
}
