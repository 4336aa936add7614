import { BlocksService, FollowsService, UsersService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { Visibility } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { ok } from '../support/fixtures/statuses.js';
import { type Among, Matrix, type Round } from '../support/visibility/matrix.js';
import { AUTHORS, type Viewer, VIEWERS } from '../support/visibility/oracle.js';
import { type Planted, type Scene, TAG } from '../support/visibility/planted.js';
import { buildScene } from '../support/visibility/scene.js';
import { FAMILIES, isAlikeForAll } from '../support/visibility/surfaces.js';

/*
 * The loss of the right to read: every surface is read before the loss, so that all caches are filled, and again right after
 * it, before any job has run. Viewers and surfaces are those of `visibility.spec.ts`.
 */

const SURFACES = Object.values(FAMILIES).flat();

let matrix: Matrix;
afterAll(() => {
  console.log(matrix.report('once it is over').split('\n', 1)[0]);
  matrix.close(); // before the server, which waits for its connections
});

const app = useApp({ once: [], listening: true });
let scene: Scene;
/** The viewers in their current state. */
const viewers = new Map(VIEWERS.map((viewer) => [viewer.name, viewer]));

beforeAll(async () => {
  scene = await buildScene(app);
  matrix = new Matrix(scene, app.env.baseUrl);
}, 240_000);

const as = (name: string) => app.world.as(name);
const authors = () => scene.ids(AUTHORS);

/** How a viewer loses the right to read, and what changes for the viewer. */
interface Ending {
  readonly who: string;
  readonly viewer: string;
  readonly end: (viewerId: string) => Promise<unknown>;
  readonly then: Partial<Viewer>;
}

/** Add one entry for each further way to lose the right to read. */
const ENDINGS: readonly Ending[] = [
  {
    who: 'unfollows',
    viewer: 'follower',
    end: async () => {
      for (const id of authors()) await (await as('follower')).post(`/api/v1/accounts/${id}/unfollow`);
    },
    then: { follows: false },
  },
  {
    who: 'is removed from the followers by the author',
    viewer: 'lister',
    end: async (id) => {
      for (const name of ['author', 'locked'])
        await ok((await as(name)).post(`/api/v1/accounts/${id}/remove_from_followers`));
      for (const other of authors()) await app.get(FollowsService).unfollow(id, other);
    },
    then: { follows: false },
  },
  {
    who: 'is blocked',
    viewer: 'muter',
    end: async (id) => {
      for (const other of authors()) await app.get(BlocksService).block(other, id, {});
    },
    then: { follows: false, hides: 'blocked' },
  },
  {
    who: 'is addressed, and blocks the author',
    viewer: 'member',
    end: async (id) => {
      for (const other of authors()) await app.get(BlocksService).block(id, other, {});
    },
    then: { hides: 'blocks' },
  },
  {
    who: 'removes the authors from a list',
    viewer: 'loyal',
    end: async () =>
      ok((await as('loyal')).delete(`/api/v1/lists/${scene.lists.get('loyal')}/accounts`, { account_ids: authors() })),
    then: { list: undefined },
  },
  {
    who: 'stops following a tag',
    viewer: 'tagger',
    end: async () => ok((await as('tagger')).post(`/api/v1/tags/${TAG}/unfollow`)),
    then: { tag: false },
  },
  {
    who: 'stops following a booster',
    viewer: 'witness',
    end: async () => ok((await as('witness')).post(`/api/v1/accounts/${scene.id('booster')}/unfollow`)),
    then: { followsReblogger: false },
  },
  {
    who: 'signs out',
    viewer: 'recipient',
    end: async () => {
      for (const token of [(await as('recipient')).token, await app.world.session('recipient')])
        await ok(app.world.anonymous.post('/oauth/revoke', { token }));
    },
    then: { token: 'dead' },
  },
  {
    who: 'is deactivated',
    viewer: 'leaver',
    end: (id) => app.get(UsersService).setActive(id, false),
    then: { token: 'dead' },
  },
];

describe('the next read is refused to a viewer who', () => {
  it.each(ENDINGS)(
    '$who',
    async ({ viewer: name, end, then }) => {
      const viewer = viewers.get(name)!;
      const later = { ...viewer, ...then };
      expect(await matrix.check(SURFACES, [viewer], ['shown'])).toEqual([]);
      await end(scene.id(name));
      const wasShown: Among = (surface, _, post) => surface.rule(viewer, post);
      expect(await matrix.check(SURFACES, [later], ['refused', 'shown'], wasShown)).toEqual([]);
      viewers.set(name, later);
    },
    240_000,
  );
});

describe('the next read is refused to visitors', () => {
  it('when the server is for members only', async () => {
    const settings = app.get(SettingsService);
    const visitors = VIEWERS.filter(({ token }) => token !== undefined && token !== 'dead');
    const surfaces = Object.entries(FAMILIES).flatMap(([family, its]) => (isAlikeForAll(family) ? [] : its));
    expect(await matrix.check(surfaces, visitors, ['shown'])).toEqual([]);
    await settings.update([{ path: 'instance.public', value: false }]);
    const excluded = visitors.map((viewer) => ({ ...viewer, isExcluded: true }));
    const wasShown: Among = (surface, viewer, post) => surface.rule({ ...viewer, isExcluded: false }, post);
    expect(await matrix.check(surfaces, excluded, ['refused', 'shown'], wasShown)).toEqual([]);
    await settings.reset('instance.public');
  }, 240_000);
});

/** Checks some viewers, among them those whose right does not end above. */
const checkAll = (posts: readonly Planted[], ...rounds: Round[]) =>
  matrix.check(
    SURFACES,
    ['anonymous', 'requester', 'loyal', 'mentioned', 'author'].map((name) => viewers.get(name)!),
    rounds,
    (_surface, _viewer, post) => posts.includes(post),
  );

describe('the next read is refused, except to viewers who may still see it, for a post that', () => {
  it('is now for followers only', async () => {
    const post = scene.post('author unlisted full stands');
    expect(await checkAll([post], 'shown')).toEqual([]);
    const { private: visibility } = Visibility;
    await app.sql('update statuses set visibility = $2, version = version + 1 where id = $1', [post.id, visibility]);
    Object.assign(post, { visibility: 'private' });
    expect(await checkAll([post], 'refused', 'shown')).toEqual([]);
  }, 240_000);

  it('is deleted', async () => {
    const author = await as('author');
    const names = ['author local full stands', 'author private poll stands', 'author public poll stands'];
    const posts = names.map((name) => scene.post(name));
    expect(await checkAll(posts, 'shown')).toEqual([]);
    for (const post of posts) {
      await ok(author.delete(`/api/v1/statuses/${post.id}`));
      Object.assign(post, { state: 'deleted' });
    }
    expect(await checkAll(posts, 'refused', 'shown')).toEqual([]);
  }, 240_000);

  it('is by a deactivated author', async () => {
    const posts = scene.posts.filter(({ author }) => author === 'author');
    expect(await checkAll(posts, 'shown')).toEqual([]);
    await app.get(UsersService).setActive(scene.id('author'), false);
    for (const post of posts) Object.assign(post, { author: 'gone' });
    viewers.set('author', { ...viewers.get('author')!, token: 'dead' });
    expect(await checkAll(posts, 'refused', 'shown')).toEqual([]);
  }, 240_000);
});
