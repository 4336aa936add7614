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

/** Whether everybody may know of a status, so that it counts in public numbers: all but direct and list posts. */
export function isCounted(visibility: number): boolean {
  return visibility !== Visibility.direct && visibility !== Visibility.list;
}

/**
 * The one rule of who may read a status, as an SQL condition. `status` is the alias of a row of `statuses`, `viewer` the
 * placeholder of the viewer's account id, `''` for anonymous callers. A boost needs it twice: for its own row and for the
 * post. Per-row look-ups are scalar sub-selects: written as `exists` they would become a hash of everything the viewer has.
 */
export function maySee(status: string, viewer = '$1'): string {
  const author = `${status}.author_id`;
  return `(not ${isDeactivated(author)} and (
    ${status}.visibility in (${Visibility.public}, ${Visibility.unlisted})
    or ${author} = ${viewer}
    or ${status}.visibility = ${Visibility.local} and ${viewer} <> ''
    or ${status}.visibility = ${Visibility.private} and ${isFollowed(author, viewer)}
    or ${status}.flags & ${StatusFlag.mentions} <> 0 and ${isAddressed(status, viewer)}))`;
}

/** Whether the viewer follows an account, accepted: an SQL condition. */
export function isFollowed(account: string, viewer = '$1'): string {
  return `coalesce((select true from follows z where z.follower_id = ${viewer} and z.followee_id = ${account} and z.state = 1), false)`;
}

/** Whether a status addresses the viewer: an SQL condition. */
function isAddressed(status: string, viewer = '$1'): string {
  return `coalesce((select true from mentions z where z.status_id = ${status}.id and z.account_id = ${viewer}), false)`;
}

/** Whether an account is deactivated, so that nothing of it is shown: an SQL condition. Index: accounts_deactivated. */
export function isDeactivated(account: string): string {
  return `coalesce((select true from accounts z where z.id = ${account} and z.deactivated_at is not null), false)`;
}
