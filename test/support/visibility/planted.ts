import { isSignedIn, type Post, POSTS, type Viewer, VIEWERS } from './oracle.js';
import type { TestApp } from '../servers/app.js';

/** Who does something with every post: answers, quotes, boosts, and likes them. No viewer hides them. */
export const OTHERS = ['host', 'quoter', 'booster', 'fan'] as const;
/** The word of all posts. */
export const NEEDLE = 'needle';
export const TAG = 'tea';

/** A post of the oracle's as it came to be, and what others did with it. What it does not have is {@link NOTHING}. */
export interface Planted extends Post {
  readonly id: string;
  readonly uri: string;
  readonly poll: string;
  readonly media: string;
  readonly scheduled: string;
  /** An answer to it, a post that quotes it, and a boost, all of them open: some could not have been made today. */
  readonly answer: string;
  readonly quoting: string;
  readonly boost: string;
  /** Its author's own boost. */
  readonly ownBoost: string;
  /** Names of viewers and ids: what each was told of it, rightly or not, and the conversation that each was put into. */
  readonly notifications: ReadonlyMap<string, string>;
  readonly conversations: ReadonlyMap<string, string>;
}

export const NOTHING = '0';
const NO_FLAKE = 'AAAAAAAAAAAAAAAAAA';
const NO_NUMBER = '987654321';

/** Ids that nobody has: what is refused is answered like these. */
export const UNKNOWN: Planted = {
  ...POSTS[0]!,
  ...{ canary: -1, name: 'unknown', uri: `https://svc.test/objects/${NO_FLAKE}` },
  ...{ id: NO_FLAKE, answer: NO_FLAKE, quoting: NO_FLAKE, boost: NO_FLAKE, ownBoost: NO_FLAKE },
  ...{ poll: NO_NUMBER, media: NO_NUMBER, scheduled: NO_NUMBER, notifications: new Map(), conversations: new Map() },
};

/** The viewer's own of the ids; those who have none ask for what is another's. */
export function ownOf(ids: ReadonlyMap<string, string>, { name }: Viewer): string {
  return ids.get(name) ?? [...ids.values()][0] ?? NO_NUMBER;
}

export const canaryOf = ({ canary }: Post) => `canary-${canary}`;

/** The names of viewers of a kind. */
export const viewersWho = (which: (viewer: Viewer) => unknown) => VIEWERS.filter(which).map(({ name }) => name);
/** Viewers who are somebody. */
export const MEMBERS = viewersWho((viewer) => isSignedIn(viewer) || viewer.token === 'dead');

/** The people and posts of the oracle on a server. */
export class Scene {
  readonly posts: Planted[] = [];
  /** By the names of their owners. */
  readonly lists = new Map<string, string>();
  readonly folders = new Map<string, string>();

  constructor(readonly app: TestApp) {}

  id(name: string): string {
    return this.app.world.id(name);
  }

  ids(names: readonly string[]): string[] {
    return names.map((name) => this.id(name));
  }

  post(name: string): Planted {
    const found = this.posts.find((planted) => planted.name === name);
    if (!found) throw new Error(`There is no post "${name}"`);
    return found;
  }

  /** Empty for those who have none. */
  async tokenOf({ name, token }: Viewer): Promise<string> {
    const { world } = this.app;
    if (token === 'none') return '';
    if (token === 'app') return (await world.asApp()).token;
    if (token === 'narrow') return (await world.as('stranger', 'read:filters')).token;
    return (await world.as(name)).token;
  }
}
