import type { Response } from 'supertest';
import {
  type BookmarkFolderJson,
  BookmarkFolderShape,
  type ReblogJson,
  PlainStatusShape,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/bookmarks';
const FOLDERS = '/api/v1/svc/bookmark_folders';
const NOT_FOUND = { error: 'Record not found' };

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const bookmark = (client: Client, id: string, values = {}) => client.post(`/api/v1/statuses/${id}/bookmark`, values);
const unbookmark = (client: Client, id: string) => client.post(`/api/v1/statuses/${id}/unbookmark`);
const folder = (client: Client, name: string, emoji?: string) =>
  ok<BookmarkFolderJson>(client.post(FOLDERS, { name, emoji }));
const ids = async (client: Client, query = '') =>
  (await ok<{ id: string }[]>(client.get(PATH + query))).map(({ id }) => id);
const seen = (client: Client, id: string) => ok(client.get(`/api/v1/statuses/${id}`));

describe('a bookmark', () => {
  it('is shown only to its owner, and can be removed', async () => {
    const { id } = await post(app, 'alice', 'tea');
    for (let time = 1; time <= 2; time += 1) {
      const body = await ok(bookmark(bob, id));
      expect(checkShape(PlainStatusShape, body)).toEqual([]);
      expect(body).toMatchObject({ id, bookmarked: true, svc: { bookmark_folder: null } });
    }
    expect(await seen(alice, id)).toMatchObject({ bookmarked: false, svc: { bookmark_folder: null } });
    expect(await ids(bob)).toEqual([id]);
    expect(await ids(alice)).toEqual([]);
    for (let time = 1; time <= 2; time += 1) {
      expect(await ok(unbookmark(bob, id))).toMatchObject({ id, bookmarked: false });
    }
    expect(await ids(bob)).toEqual([]);
    await app.drain();
    expect(await app.sql('select from notifications')).toEqual([]);
  });

  it('can be put in a folder, moved and taken out without changing its place in the list', async () => {
    const [red, blue] = [await folder(bob, 'Red'), await folder(bob, 'Blue')];
    const [first, second] = (await makeStatuses(app, 'alice', 2)) as [string, string];
    expect(await ok(bookmark(bob, first, { folder_id: red.id }))).toMatchObject({ svc: { bookmark_folder: red.id } });
    await ok(bookmark(bob, second, { folder_id: red.id }));
    await ok(bookmark(bob, first, { folder_id: blue.id }));
    expect(await ids(bob, `?folder_id=${red.id}`)).toEqual([second]);
    expect(await ids(bob, `?folder_id=${blue.id}`)).toEqual([first]);
    expect(await ids(bob)).toEqual([second, first]);
    for (const values of [{}, { folder_id: null }]) {
      await ok(bookmark(bob, second, { folder_id: red.id }));
      expect(await ok(bookmark(bob, second, values))).toMatchObject({
        bookmarked: true,
        svc: { bookmark_folder: null },
      });
    }
    expect(await ids(bob, `?folder_id=${red.id}`)).toEqual([]);
    expect(await ids(bob)).toEqual([second, first]);
  });

  it('of a boost applies to the boosted post, and both show it', async () => {
    const red = await folder(bob, 'Red');
    const { id } = await post(app, 'alice', 'tea');
    const boost = await reblog(app, 'alice', id);
    expect(await ok(bookmark(bob, boost.id, { folder_id: red.id }))).toMatchObject({ id, bookmarked: true });
    expect(await ok<ReblogJson>(bob.get(`/api/v1/statuses/${boost.id}`))).toMatchObject({
      bookmarked: true,
      svc: { bookmark_folder: red.id },
      reblog: { bookmarked: true, svc: { bookmark_folder: red.id } },
    });
  });

  it('cannot be put in an unknown folder or in a folder of another account', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const foreign = await folder(alice, 'Red');
    for (const folder_id of [foreign.id, 'AAAAAAAAAAAAAAAAAA', "'"]) {
      await bookmark(bob, id, { folder_id }).expect(404, NOT_FOUND);
    }
    expect(await ids(bob)).toEqual([]);
    await ok(bookmark(alice, id, { folder_id: foreign.id }));
    expect(await ids(bob, `?folder_id=${foreign.id}`)).toEqual([]);
  });

  it('is allowed and listed only while the viewer may see the post', async () => {
    const { id } = await post(app, 'alice', 'for followers', { visibility: 'private' });
    await bookmark(bob, id).expect(404, NOT_FOUND);
    await unbookmark(bob, id).expect(404, NOT_FOUND);
    await bookmark(app.world.anonymous, id).expect(401);
    await app.world.follow('bob', 'alice');
    await ok(bookmark(bob, id));
    expect(await ids(bob)).toEqual([id]);
    await app.sql('delete from follows');
    expect(await ids(bob)).toEqual([]);
  });

  it('is made once by concurrent requests, and is listed in pages by the time it was made', async () => {
    const posts = await makeStatuses(app, 'alice', 5);
    for (const id of posts.toReversed()) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bookmark(bob, id)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect(await app.sql('select from bookmarks')).toHaveLength(5);
    const found: string[] = [];
    for (let path: string | undefined = `${PATH}?limit=2`; path !== undefined;) {
      const answer: Response = await bob.get(path).expect(200);
      found.push(...(answer.body as { id: string }[]).map(({ id }) => id));
      path = /<https:\/\/svc\.test([^>]+)>; rel="next"/.exec(answer.get('link') ?? '')?.[1];
    }
    expect(found).toEqual(posts);
  });

  it('requires its scopes', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await bookmark(await app.world.as('bob', 'write:favourites'), id).expect(403);
    await (await app.world.as('bob', 'read:favourites')).get(PATH).expect(403);
  });
});

describe('a folder', () => {
  it('can be created, listed, renamed and removed under both prefixes', async () => {
    const red = await folder(bob, ' Red ', '❤');
    expect(checkShape(BookmarkFolderShape, red)).toEqual([]);
    expect(red).toMatchObject({ name: 'Red', emoji: '❤️', emoji_url: null });
    const plain = await ok<BookmarkFolderJson>(bob.post('/api/svc/bookmark_folders', { name: 'Plain', emoji: '' }));
    expect(plain.emoji).toBeNull();
    expect(await ok(bob.get(FOLDERS))).toEqual([red, plain]);
    expect(await ok(bob.get('/api/svc/bookmark_folders'))).toEqual([red, plain]);
    expect(await ok(bob.patch(`${FOLDERS}/${red.id}`, { name: 'Rot' }))).toEqual({ ...red, name: 'Rot' });
    const bare = { ...red, name: 'Rot', emoji: null };
    expect(await ok(bob.patch(`${FOLDERS}/${red.id}`, { emoji: '' }))).toEqual(bare);
    const { id } = await post(app, 'alice', 'tea');
    await ok(bookmark(bob, id, { folder_id: red.id }));
    expect(await ok(bob.delete(`${FOLDERS}/${red.id}`))).toEqual(bare);
    expect(await seen(bob, id)).toMatchObject({ bookmarked: true, svc: { bookmark_folder: null } });
    await bob.delete(`${FOLDERS}/${red.id}`).expect(404, NOT_FOUND);
  });

  it('has a name that is unique for its owner, also under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => bob.post(FOLDERS, { name: 'Red' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
    const blue = await folder(bob, 'Blue');
    await bob.patch(`${FOLDERS}/${blue.id}`, { name: 'Red' }).expect(422);
    await folder(alice, 'Red');
  });

  it.each<[string, object, number]>([
    ['without a name', {}, 400],
    ['with a blank name', { name: ' ' }, 422],
    ['with a name that is too long', { name: 'x'.repeat(256) }, 422],
    ['with an emoji that is none', { name: 'Red', emoji: 'red' }, 422],
    ['with two emoji', { name: 'Red', emoji: '❤️❤️' }, 422],
  ])('%s is refused', async (_, values, status) => {
    await bob.post(FOLDERS, values as Record<string, unknown>).expect(status);
    expect(await ok(bob.get(FOLDERS))).toEqual([]);
  });

  it('is limited to a hundred per account', async () => {
    await app.sql(
      `insert into bookmark_folders (id, account_id, name) select lpad(n::text, 18, '0'), $1, n::text from generate_series(1, 100) n`,
      [app.world.id('bob')],
    );
    await bob.post(FOLDERS, { name: 'Red' }).expect(422, { error: 'There are 100 folders already' });
    await bob.post(FOLDERS, { name: '7' }).expect(422, { error: 'The name is taken' });
  });

  it('of another account returns 404', async () => {
    const red = await folder(alice, 'Red');
    await bob.patch(`${FOLDERS}/${red.id}`, { name: 'x' }).expect(404, NOT_FOUND);
    await bob.delete(`${FOLDERS}/${red.id}`).expect(404, NOT_FOUND);
    expect(await ok(bob.get(FOLDERS))).toEqual([]);
    expect(await ok(alice.get(FOLDERS))).toEqual([red]);
  });
});
