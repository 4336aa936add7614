import { isSignedIn, type Post, POSTS, type Viewer, VIEWERS } from './oracle.js';
import type { TestApp } from '../servers/app.js';

/** Accounts that act on every post: they reply, quote, boost and favourite. No viewer hides them. */
export const OTHERS = ['host', 'quoter', 'booster', 'fan'] as const;
/** A word that all posts contain. */
export const NEEDLE = 'needle';
export const TAG = 'tea';

/** A post of the oracle as it was created, with the actions of others on it. Missing parts are {@link NOTHING}. */
export interface Planted extends Post {
  readonly id: string;
  readonly uri: string;
  readonly poll: string;
  readonly media: string;
  readonly scheduled: string;
  /**
   * A reply to the post, a quote of it and a boost of it. All of them are open, though the API would refuse some today.
   */
  readonly answer: string;
  readonly quoting: string;
  readonly boost: string;
  /** The boost by the author. */
  readonly ownReblog: string;
  /** Ids by the names of viewers: their notification of the post, right or wrong, and their conversation. */
  readonly notifications: ReadonlyMap<string, string>;
  readonly conversations: ReadonlyMap<string, string>;
}

export const NOTHING = '0';
const NO_FLAKE = 'AAAAAAAAAAAAAAAAAA';
const NO_NUMBER = '987654321';

/** Unknown ids: a refused request must get the same answer as these. */
export const UNKNOWN: Planted = {
  ...POSTS[0]!,
  ...{ canary: -1, name: 'unknown', uri: `https://svc.test/objects/${NO_FLAKE}` },
  ...{ id: NO_FLAKE, answer: NO_FLAKE, quoting: NO_FLAKE, boost: NO_FLAKE, ownReblog: NO_FLAKE },
  ...{ poll: NO_NUMBER, media: NO_NUMBER, scheduled: NO_NUMBER, notifications: new Map(), conversations: new Map() },
};

/** The id of the viewer. Viewers without one ask for the id of another viewer. */
export function ownOf(ids: ReadonlyMap<string, string>, { name }: Viewer): string {
  return ids.get(name) ?? [...ids.values()][0] ?? NO_NUMBER;
}

export const canaryOf = ({ canary }: Post) => `canary-${canary}`;

/** The names of the viewers that match. */
export const viewersWho = (which: (viewer: Viewer) => unknown) => VIEWERS.filter(which).map(({ name }) => name);
/** The viewers with an account. */
export const MEMBERS = viewersWho((viewer) => isSignedIn(viewer) || viewer.token === 'dead');

/** The accounts and posts of the oracle on a server. */
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

  /** The cookie of a viewer. No token of an app is one. */
  async sessionOf(viewer: Viewer): Promise<string> {
    const isMember = viewer.token === undefined || viewer.token === 'dead';
    return isMember ? this.app.world.session(viewer.name) : this.tokenOf(viewer);
  }

  /** Empty for viewers without a token. */
  async tokenOf({ name, token }: Viewer): Promise<string> {
    const { world } = this.app;
    if (token === 'none') return '';
    if (token === 'app') return (await world.asApp()).token;
    if (token === 'narrow') return (await world.as('stranger', 'read:filters')).token;
    return (await world.as(name)).token;
  }
}
