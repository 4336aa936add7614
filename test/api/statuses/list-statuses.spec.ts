import type { ListJson } from '../../../src/accounts/index.js';
import { LAST_ID } from '../../../src/platform/index.js';
import type { StatusJson } from '../../../src/statuses/index.js';
import { FeedRepairRepository } from '../../../src/timelines/feeds/feed-repair.repository.js';
import { FeedsService } from '../../../src/timelines/feeds/feeds.service.js';
import { useApp } from '../../support/servers/app.js';
import { expectCountersToMatchRows, ok, post } from '../../support/fixtures/statuses.js';

const PATH = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });
let list: ListJson;

beforeEach(async () => {
  for (const name of ['bob', 'carol']) await app.world.follow('alice', name);
  for (const name of ['bob', 'carol', 'dave']) await app.world.follow(name, 'alice');
  const alice = await app.world.as('alice');
  list = await ok<ListJson>(alice.post('/api/v1/lists', { title: 'tea' }));
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [app.world.id('bob')] }).expect(200);
});

const statusFor = async (viewer: string | undefined, id: string) => {
  const client = viewer === undefined ? app.world.anonymous : await app.world.as(viewer);
  return (await client.get(`${PATH}/${id}`)).status;
};
const home = async (name: string) =>
  (await ok<StatusJson[]>((await app.world.as(name)).get('/api/v1/timelines/home'))).map(({ id }) => id);

describe('a post for a list', () => {
  it('is visible only to the members of the list, and names the list only to its author', async () => {
    const made = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    expect(made).toMatchObject({ visibility: 'list', mentions: [], svc: { list_id: list.id } });
    const seen = await ok((await app.world.as('bob')).get(`${PATH}/${made.id}`));
    expect(seen).toMatchObject({ visibility: 'list', mentions: [], svc: { list_id: null } });
    for (const viewer of ['carol', 'dave', undefined]) expect(await statusFor(viewer, made.id)).toBe(404);
    await app.drain();
    expect(await home('bob')).toEqual([made.id]);
    expect(await home('carol')).toEqual([]);
    await expectCountersToMatchRows(app);
  });

  it('is written only into the feeds of members, also when feeds are merged or rebuilt', async () => {
    await home('dave'); // makes dave active: nothing is written for inactive readers
    const { id } = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    await app.drain();
    const readers = async () => {
      const rows = await app.sql<{ name: string }>(
        `select a.nickname as name from home_feed h join accounts a on a.id = h.account_id where h.status_id = $1 order by 1`,
        [id],
      );
      return rows.map(({ name }) => name);
    };
    expect(await readers()).toEqual(['alice', 'bob']);
    const feeds = app.get(FeedsService);
    for (const name of ['bob', 'carol', 'dave'])
      await feeds.merge({ followerId: app.world.id(name), followeeId: app.world.id('alice') });
    expect(await readers()).toEqual(['alice', 'bob']);
    await app.sql('delete from home_feed');
    await app.sql('update users set feed_floor = $1', [LAST_ID]);
    for (const name of ['alice', 'bob', 'carol', 'dave']) await feeds.rebuild({ accountId: app.world.id(name) });
    expect(await readers()).toEqual(['alice', 'bob']);
    await app.sql(`update statuses set created_at = now() - interval '1 day'`);
    await app.sql(`update follows set created_at = now() - interval '1 day'`);
    const all = ['bob', 'carol', 'dave'].map((name) => app.world.id(name));
    expect(await app.get(FeedRepairRepository).incomplete(all)).toEqual([]); // the repair finds no feed that lacks it
  });

  it('V16 is invisible to accounts that join the list later, and stays visible to those that leave it', async () => {
    const { id } = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    const alice = await app.world.as('alice');
    const members = `/api/v1/lists/${list.id}/accounts`;
    await alice.post(members, { account_ids: [app.world.id('carol')] }).expect(200);
    await alice.delete(members, { account_ids: [app.world.id('bob')] }).expect(200);
    expect([await statusFor('bob', id), await statusFor('carol', id)]).toEqual([200, 404]);
    const edited = await ok(alice.put(`${PATH}/${id}`, { status: 'tea, @dave?' }));
    expect(edited).toMatchObject({ visibility: 'list', svc: { list_id: list.id } });
    expect([await statusFor('bob', id), await statusFor('carol', id)]).toEqual([200, 404]);
    await alice.put(`${PATH}/${id}`, { status: 'tea' }).expect(200);
    expect([await statusFor('bob', id), await statusFor('carol', id)]).toEqual([200, 404]);
    await alice.delete(`/api/v1/lists/${list.id}`).expect(200);
    expect((await ok(alice.get(`${PATH}/${id}`))).svc.list_id).toBeNull();
    expect([await statusFor('bob', id), await statusFor('carol', id)]).toEqual([200, 404]);
  });

  it('is also visible to mentioned accounts, but not to members who block the author', async () => {
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [
      app.world.id('bob'),
      app.world.id('alice'),
    ]);
    const { id, mentions } = await post(app, 'alice', 'tea, @dave?', { visibility: `list:${list.id}` });
    expect(mentions.map(({ acct }) => acct)).toEqual(['dave']);
    expect([await statusFor('bob', id), await statusFor('dave', id)]).toEqual([404, 200]);
  });

  it('cannot be pinned', async () => {
    const { id } = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    await (await app.world.as('alice')).post(`${PATH}/${id}/pin`).expect(422);
  });

  it('cannot be boosted, and replies to it are not visible outside the list', async () => {
    const { id } = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    await (await app.world.as('bob')).post(`${PATH}/${id}/reblog`).expect(422);
    const answer = await post(app, 'bob', 'yes', { in_reply_to_id: id });
    expect(answer).toMatchObject({ visibility: 'list', svc: { list_id: null } });
    expect([await statusFor('alice', answer.id), await statusFor('carol', answer.id)]).toEqual([200, 404]);
  });

  it('is continued by its author for the same list, also by apps that repeat its visibility', async () => {
    const first = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    for (const options of [{}, { visibility: 'list' }]) {
      const second = await post(app, 'alice', 'or coffee?', { ...options, in_reply_to_id: first.id });
      expect(second).toMatchObject({ visibility: 'list', svc: { list_id: list.id } });
      expect([await statusFor('bob', second.id), await statusFor('carol', second.id)]).toEqual([200, 404]);
    }
    const answer = await post(app, 'bob', 'tea', { visibility: 'list', in_reply_to_id: first.id });
    expect(answer).toMatchObject({ visibility: 'list', svc: { list_id: null } });
    expect([await statusFor('alice', answer.id), await statusFor('carol', answer.id)]).toEqual([200, 404]);
    const open = await post(app, 'alice', 'for all', { in_reply_to_id: first.id, visibility: 'public' });
    expect(open).toMatchObject({ visibility: 'public', svc: { list_id: null } });
    const alice = await app.world.as('alice');
    const unknown = { error: 'Unknown visibility: list' };
    await alice.post(PATH, { status: 'tea', visibility: 'list' }).expect(422, unknown);
    await alice.post(PATH, { status: 'tea', visibility: 'list', in_reply_to_id: open.id }).expect(422, unknown);
  });

  it('is refused for a list of another account, also when scheduled', async () => {
    const bob = await app.world.as('bob');
    const wanted = { status: 'tea?', visibility: `list:${list.id}` };
    await bob.post(PATH, wanted).expect(404, { error: 'List not found' });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await bob.post(PATH, { ...wanted, scheduled_at: later }).expect(404, { error: 'List not found' });
    expect(await app.sql('select from statuses')).toEqual([]);
  });

  it('is shown in a preview', async () => {
    const made = await post(app, 'alice', 'tea?', { visibility: `list:${list.id}`, preview: true });
    expect(made).toMatchObject({ visibility: 'list', svc: { list_id: list.id } });
    expect(await app.sql('select from statuses')).toEqual([]);
  });
});
