import type { ListJson } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import type { ContextJson, StatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

/*
 * Thread containment (spec §10.10): when it is on, timelines hide a post if the viewer may not see every post above it in its
 * thread. Carol writes for her followers, and reader does not follow her; alice replies in public.
 */

const SETTING = 'instance.skip_thread_containment';

const app = useApp();
let reader: Client;
let list: ListJson;
/** A post for carol's followers; alice's public reply to it; bob's public reply to that. */
let root: string;
let answer: string;
let deeper: string;

beforeEach(async () => {
  await app.get(SettingsService).reset(SETTING);
  await app.world.persons('reader', 'alice', 'bob', 'carol');
  for (const name of ['alice', 'bob']) await app.world.follow('reader', name);
  await app.world.follow('alice', 'carol');
  reader = await app.world.as('reader');
  list = await ok<ListJson>(reader.post('/api/v1/lists', { title: 'people' }));
  await reader
    .post(`/api/v1/lists/${list.id}/accounts`, { account_ids: ['alice', 'bob'].map((name) => app.world.id(name)) })
    .expect(200);
  await ok(reader.put(`/api/v1/lists/${list.id}`, { title: 'people', replies_policy: 'followed' }));
  root = (await post(app, 'carol', 'root #tea', { visibility: 'private' })).id;
  answer = (await post(app, 'alice', 'answer #tea', { visibility: 'public', in_reply_to_id: root })).id;
  deeper = (await post(app, 'bob', 'deeper #tea', { visibility: 'public', in_reply_to_id: answer })).id;
  await app.drain();
});

const contain = () => app.get(SettingsService).update([{ path: SETTING, value: false }]);
const ids = async (path: string, client: Client = reader) =>
  (await ok<StatusJson[]>(client.get(path))).map((entry) => (entry.reblog ?? entry).id);
const below = () =>
  app.sql(`update users set feed_floor = 'zzzzzzzzzzzzzzzzzz' where account_id = $1`, [app.world.id('reader')]);

const TIMELINES: [string, () => string, () => Promise<unknown>][] = [
  ['home', () => '/api/v1/timelines/home', () => Promise.resolve()],
  ['home, below its floor', () => '/api/v1/timelines/home', below],
  ['public', () => '/api/v1/timelines/public', () => Promise.resolve()],
  ['local', () => '/api/v1/timelines/public?local=true', () => Promise.resolve()],
  ['tag', () => '/api/v1/timelines/tag/tea', () => Promise.resolve()],
];

describe('thread containment', () => {
  it.each(TIMELINES)(
    'hides posts below an invisible ancestor when enabled, and is off by default: %s',
    async (_, path, arrange) => {
      await arrange();
      expect(await ids(path())).toEqual([deeper, answer]);
      await contain();
      expect(await ids(path())).toEqual([]);
      await app.world.follow('reader', 'carol');
      expect((await ids(path())).slice(0, 2)).toEqual([deeper, answer]);
    },
  );

  it('applies to list timelines', async () => {
    const path = `/api/v1/timelines/list/${list.id}`;
    expect(await ids(path)).toEqual([deeper]); // carol is not followed
    await contain();
    expect(await ids(path)).toEqual([]);
    await app.world.follow('reader', 'carol');
    expect(await ids(path)).toEqual([deeper, answer]);
  });

  it('can be switched off by each user', async () => {
    await contain();
    await reader.patch('/api/v1/accounts/update_credentials', { skip_thread_containment: true }).expect(200);
    for (const [, path] of TIMELINES) expect(await ids(path())).toEqual([deeper, answer]);
    await reader.patch('/api/v1/accounts/update_credentials', { skip_thread_containment: false }).expect(200);
    for (const [, path] of TIMELINES) expect(await ids(path())).toEqual([]);
  });

  it('applies to anonymous viewers', async () => {
    expect(await ids('/api/v1/timelines/public', app.world.anonymous)).toEqual([deeper, answer]);
    await contain();
    expect(await ids('/api/v1/timelines/public', app.world.anonymous)).toEqual([]);
  });

  it('applies to boosts, but does not hide the own posts of the viewer', async () => {
    await contain();
    const own = await post(app, 'reader', 'mine', { in_reply_to_id: deeper });
    await app.world.person('dave');
    await app.world.follow('reader', 'dave');
    await reblog(app, 'dave', answer);
    await app.drain();
    expect(await ids('/api/v1/timelines/home')).toEqual([own.id]);
  });

  it('treats a post whose parent was deleted as the start of a thread', async () => {
    await contain();
    await (await app.world.as('carol')).delete(`/api/v1/statuses/${root}`).expect(200);
    expect(await ids('/api/v1/timelines/home')).toEqual([deeper, answer]);
  });

  it('does not apply to threads, profiles, direct messages and notifications', async () => {
    await contain();
    const { ancestors } = await ok<ContextJson>(reader.get(`/api/v1/statuses/${deeper}/context`));
    expect(ancestors.map(({ id }) => id)).toEqual([answer]);
    expect(await ids(`/api/v1/accounts/${app.world.id('alice')}/statuses`)).toEqual([answer]);
    const secret = await post(app, 'alice', '@reader psst', { visibility: 'direct', in_reply_to_id: root });
    expect(await ids('/api/v1/timelines/direct')).toEqual([secret.id]);
    await app.drain();
    const told = await ok<{ status: StatusJson }[]>(reader.get('/api/v1/notifications'));
    expect(told.map(({ status }) => status.id)).toEqual([secret.id]);
  });

  it('checks all ancestors of a post in a long thread, and still fills the page', async () => {
    let parent = deeper;
    for (let height = 0; height < 12; height += 1) {
      parent = (await post(app, 'alice', `up ${height}`, { visibility: 'public', in_reply_to_id: parent })).id;
    }
    const open = [];
    for (let count = 0; count < 3; count += 1) open.unshift((await post(app, 'alice', 'open', {})).id);
    const late = (await post(app, 'alice', 'late', { visibility: 'public', in_reply_to_id: parent })).id;
    await app.drain();
    expect(await ids('/api/v1/timelines/home?limit=2')).toEqual([late, open[0]]);
    await contain();
    expect(await ids('/api/v1/timelines/home?limit=2')).toEqual(open.slice(0, 2));
    expect(await ids('/api/v1/timelines/home')).toEqual(open);
  });

  it('adds no statement to a request for the home timeline', async () => {
    const count = async () => {
      await reader.get('/api/v1/timelines/home').expect(200); // caches the bodies
      app.invalidateReads();
      return (await countQueries(async () => reader.get('/api/v1/timelines/home').expect(200))).statements.toSorted();
    };
    const without = await count();
    expect(without).toContain('timelines.home.feed.older');
    await contain();
    await app.world.follow('reader', 'carol');
    await app.drain();
    expect(await count()).toEqual(without);
  });

  it('is reported in NodeInfo', async () => {
    const said = async () =>
      (await ok<{ metadata: { skipThreadContainment: boolean } }>(app.world.anonymous.get('/nodeinfo/2.0'))).metadata
        .skipThreadContainment;
    expect(await said()).toBe(true);
    await contain();
    expect(await said()).toBe(false);
  });
});
