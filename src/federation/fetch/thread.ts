/** What is left to fetch of a thread. */
export interface Thread {
  /** Posts that stored posts refer to: quoted posts and replies. The first is fetched next. */
  readonly uris: readonly string[];
  /** Collections of replies to stored posts, which are read first. */
  readonly collections?: readonly string[];
  /** Requests that all of them together may make, and what they lead to (threat S10). Earlier versions stored none. */
  readonly left?: number;
  /** How often in a row a post of it could not be fetched. */
  readonly failures?: number;
}

/** What stored posts refer to. */
export type Referred = Required<Pick<Thread, 'uris' | 'collections'>>;

/** No post refers to anything. */
export const NOTHING: Referred = { uris: [], collections: [] };

/** Plans that the posts are fetched to which a stored one refers, in the unit of work that stores it. */
export type Follow = (referred: Referred) => void;

/** What some posts refer to, and then others. */
export function joined(some: Referred, more: Referred): Referred {
  return { uris: [...some.uris, ...more.uris], collections: [...some.collections, ...more.collections] };
}
