import { FollowsService } from '../../../src/accounts/index.js';
import { checkShape } from '../../support/shape.js';
import { type RelationshipJson, RelationshipShape } from '../../../src/accounts/index.js';
import type { StatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { connectAs, isMarker, sendMarker } from '../../support/servers/sockets.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const HOME = '/api/v1/timelines/home';

/** The languages that a follow is for: `languages` of `POST /api/v1/accounts/:id/follow`. */
describe('a follow for some languages', () => {
  const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'], listening: true });
  let reader: Client;

  beforeEach(async () => {
    reader = await app.world.as('reader');
    await app.world.follow('reader', 'carol');
  });

  const follow = (options: Record<string, unknown>, name = 'alice') =>
    reader.post(`/api/v1/accounts/${app.world.id(name)}/follow`, options);
  const followed = (options: Record<string, unknown>) => ok<RelationshipJson>(follow(options));
  const shown = async (path = HOME) => (await ok<StatusJson[]>(reader.get(path))).map(({ id }) => id);
  const setFloor = (floor: string) =>
    app.sql('update users set feed_floor = $2 where account_id = $1', [app.world.id('reader'), floor]);

  it.each<[string, () => Promise<{ id: string }>, boolean]>([
    ['a post in one of them', () => post(app, 'alice', 'x', { language: 'de' }), true],
    ['a post in a form of one of them', () => post(app, 'alice', 'x', { language: 'pt-BR' }), true],
    ['a post with a tag in capitals', () => post(app, 'alice', 'x', { language: 'DE' }), true],
    ['a post in another one', () => post(app, 'alice', 'x', { language: 'en' }), false],
    ['a post without a language', () => post(app, 'alice', 'x'), true],
    ['a boost of a post in one of them', async () => reblogOf('alice', 'bob', 'de'), true],
    ['a boost of a post in another one', async () => reblogOf('alice', 'bob', 'en'), false],
    ['a post in another one with a followed tag', () => post(app, 'alice', '#tea', { language: 'en' }), true],
    ['the boost of a left out post by an account followed for all', async () => reblogOf('carol', 'alice', 'en'), true],
    ['a post in another one of an account followed for all', () => post(app, 'carol', 'x', { language: 'en' }), true],
    ['an own post in another one', () => post(app, 'reader', 'x', { language: 'en' }), true],
  ])('shows or hides on home and the user stream: %s', async (_what, make, isShown) => {
    await reader.post('/api/v1/tags/tea/follow').expect(200);
    await followed({ languages: ['de', 'pt'] });
    const socket = await connectAs(app, 'reader', { stream: 'user' });
    const { id } = await make();
    await sendMarker(app, ['reader']);
    const frames = (await socket.until(isMarker)).filter(({ event }) => event === 'update');
    await socket.close();
    const streamed = frames.map(({ payload = '' }) => (JSON.parse(payload) as StatusJson).id);
    await app.drain();
    const above = await shown();
    await setFloor('~');
    await app.sql('update users set last_active_at = last_active_at'); // pages are kept until something changes
    expect([streamed, above, await shown()].map((ids) => ids.includes(id))).toEqual([isShown, isShown, isShown]);
  });

  const reblogOf = async (reblogger: string, author: string, language: string) => {
    const { id } = await post(app, author, 'x', { language });
    return reblog(app, reblogger, id);
  };

  it('filters notifications of new posts, but not lists, the profile and notifications of mentions', async () => {
    await followed({ languages: ['de'], notify: true });
    const list = await ok<{ id: string }>(reader.post('/api/v1/lists', { title: 'all' }));
    await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [app.world.id('alice')] }).expect(200);
    const other = await post(app, 'alice', 'x', { language: 'en' });
    const named = await post(app, 'alice', '@reader', { language: 'en' });
    const wanted = await post(app, 'alice', 'x', { language: 'de' });
    await app.drain();
    const all = [wanted.id, named.id, other.id];
    expect(await shown(`/api/v1/timelines/list/${list.id}`)).toEqual(all);
    expect(await shown(`/api/v1/accounts/${app.world.id('alice')}/statuses`)).toEqual(all);
    const notifications = await ok<{ type: string; status: StatusJson }[]>(reader.get('/api/v1/notifications'));
    expect(notifications.map(({ type, status }) => [type, status.id])).toEqual([
      ['status', wanted.id],
      ['mention', named.id],
    ]);
  });

  it('keeps its languages until a later follow changes them, and shows all posts without languages', async () => {
    const { id } = await post(app, 'alice', 'x', { language: 'en' });
    await app.drain();
    const relationship = await followed({ languages: ['de', 'pt-BR', 'de'] });
    expect(checkShape(RelationshipShape, relationship)).toEqual([]);
    expect(relationship).toMatchObject({ following: true, languages: ['de', 'pt-BR'] });
    await app.drain();
    expect(await shown()).not.toContain(id);
    expect(await followed({ reblogs: false })).toMatchObject({ languages: ['de', 'pt-BR'] });
    expect(await followed({ languages: null })).toMatchObject({ languages: ['de', 'pt-BR'] });
    expect(await followed({ languages: ['eo'] })).toMatchObject({ languages: ['eo'], showing_reblogs: false });
    expect(await followed({ languages: [] })).toMatchObject({ languages: null });
    expect(await shown()).toContain(id);
    const [{ languages }] = (await ok<RelationshipJson[]>(
      reader.get('/api/v1/accounts/relationships', { id: app.world.id('bob') }),
    )) as [RelationshipJson];
    expect(languages).toBeNull();
  });

  it('keeps its languages while it is requested and after it is accepted', async () => {
    const alice = await app.world.as('alice');
    await alice.patch('/api/v1/accounts/update_credentials', { locked: true }).expect(200);
    expect(await followed({ languages: ['de'] })).toMatchObject({ requested: true, languages: ['de'] });
    await alice.post(`/api/v1/follow_requests/${app.world.id('reader')}/authorize`).expect(200);
    expect(await followed({})).toMatchObject({ following: true, languages: ['de'] });
    expect(await followed({ languages: [''] })).toMatchObject({ following: true, languages: null });
  });

  it('is refused with 422 for an invalid language, and changes nothing', async () => {
    await follow({ languages: ['de', '../etc'] }).expect(422, { error: '../etc is not a language tag' });
    await follow({ languages: ['d'.repeat(300)] }).expect(422);
    expect(await app.sql('select from follows where followee_id = $1', [app.world.id('alice')])).toEqual([]);
  });

  it('keeps its languages when the followed account moves', async () => {
    await followed({ languages: ['de'] });
    const [alice, bob] = [app.world.id('alice'), app.world.id('bob')];
    await app.sql('update accounts set moved_to_id = $2 where id = $1', [alice, bob]);
    await app.get(FollowsService).moveFollowers(alice, bob);
    const rows = await app.sql('select languages from follows where followee_id = $1', [bob]);
    expect(rows).toEqual([{ languages: ['de'] }]);
  });
});
