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
 * A class of visibilities: as a function of a stored visibility or of a name, as an SQL condition on one of them, and
 * on a row of `statuses`.
 */
function visibilityClass(...names: readonly VisibilityName[]) {
  const members: readonly number[] = names.map((name) => Visibility[name]);
  const list = members.join(', ');
  const sqlOf = (visibility: string) =>
    members.length === 1 ? `${visibility} = ${list}` : `${visibility} in (${list})`;
  return {
    names,
    includes: (visibility: number): boolean => members.includes(visibility),
    includesName: (name: string): boolean => names.some((each) => each === name),
    sqlOf,
    sqlOfName: (name: string): string => `${name} in (${names.map((each) => `'${each}'`).join(', ')})`,
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
/** Shown on more than the streams of followers and lists. */
export const ON_OTHER_STREAMS = visibilityClass('public', 'local', 'direct');
/** Only addressees may know of it, so public counters leave it out. */
export const ADDRESSED_ONLY = visibilityClass('direct', 'list');
