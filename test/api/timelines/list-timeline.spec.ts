import { BlocksService, FollowsService, type ListJson } from '../../../src/accounts/index.js';
import { type StatusJson, StatusShape, Visibility } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { answerUnknown, ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol', 'dave'] });
let reader: Client;
let list: ListJson;

beforeEach(async () => {
  for (const name of ['alice', 'bob', 'carol']) await app.world.follow('reader', name);
  reader = await app.world.as('reader');
  list = await make('alice', 'bob');
});

const id = (nickname: string) => app.world.id(nickname);

async function make(...members: string[]): Promise<ListJson> {
  const made = await ok<ListJson>(reader.post('/api/v1/lists', { title: 'people' }));
  await reader.post(`/api/v1/lists/${made.id}/accounts`, { account_ids: members.map(id) }).expect(200);
  return made;
}

const change = (options: object) => ok(reader.put(`/api/v1/lists/${list.id}`, { title: 'people', ...options }));
const page = (query = {}) => ok<StatusJson[]>(reader.get(`/api/v1/timelines/list/${list.id}`, query));
const shown = (entries: readonly StatusJson[]) =>
  entries.map((entry) => (entry.reblog ?? entry).content.replace(/<[^>]+>/g, ''));
const texts = async (query = {}) => shown(await page(query));
const home = async () => shown(await ok<StatusJson[]>(reader.get('/api/v1/timelines/home')));

describe('the timeline of a list', () => {
  it('lists posts and boosts of its members that the reader may see', async () => {
    await post(app, 'alice', 'open');
    await post(app, 'bob', 'for friends', { visibility: 'private' });
    await post(app, 'bob', '@alice a secret', { visibility: 'direct' });
    await post(app, 'carol', 'not on the list');
    const byDave = await post(app, 'dave', 'boosted');
    await post(app, 'reader', 'mine');
    await reblog(app, 'alice', byDave.id);
    const entries = await page();
    expect(shown(entries)).toEqual(['boosted', 'for friends', 'open']);
    expect(entries.flatMap((entry) => checkShape(StatusShape, entry))).toEqual([]);
  });

  it('shows requested members after they accept, and the reader, whose posts stay in home', async () => {
    await app.world.person('lara', { locked: true });
    await app.world.follow('reader', 'lara');
    const other = await make('alice', 'lara', 'reader');
    for (const name of ['alice', 'lara', 'reader']) await post(app, name, `by ${name}`);
    const seen = async () => shown(await ok<StatusJson[]>(reader.get(`/api/v1/timelines/list/${other.id}`)));
    expect(await seen()).toEqual(['by reader', 'by alice']);
    await (await app.world.as('lara')).post(`/api/v1/follow_requests/${id('reader')}/authorize`).expect(200);
    expect(await seen()).toEqual(['by reader', 'by lara', 'by alice']);
    await ok(reader.put(`/api/v1/lists/${other.id}`, { exclusive: true }));
    await app.drain();
    expect(await home()).toEqual(['by reader']);
  });

  it('V8 returns 404 to everyone but the owner of the list', async () => {
    await post(app, 'alice', 'open');
    const missing = { error: 'Record not found' };
    const other = await app.world.as('dave');
    await other.get(`/api/v1/timelines/list/${list.id}`).expect(404, missing);
    for (const unknown of ['9223372036854775807', '0', 'x', '99999999999999999999']) {
      await reader.get(`/api/v1/timelines/list/${unknown}`).expect(404, missing);
    }
    await app.world.anonymous.get(`/api/v1/timelines/list/${list.id}`).expect(401);
    const narrow = await app.world.as('reader', 'read:statuses');
    await narrow.get(`/api/v1/timelines/list/${list.id}`).expect(403);
  });

  it('gains the posts of a new member and loses those of a removed one', async () => {
    await post(app, 'carol', 'by carol');
    await post(app, 'alice', 'by alice');
    await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id('carol')] }).expect(200);
    expect(await texts()).toEqual(['by alice', 'by carol']);
    await reader.delete(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id('alice')] }).expect(200);
    expect(await texts()).toEqual(['by carol']);
    await app.get(FollowsService).unfollow(id('reader'), id('carol'));
    expect(await texts()).toEqual([]);
  });

  it('shows the replies that its policy allows', async () => {
    const roots = new Map<string, string>();
    for (const name of ['alice', 'bob', 'carol', 'dave', 'reader']) {
      roots.set(name, (await post(app, name, `root of ${name}`)).id);
    }
    for (const [name, root] of roots) await post(app, 'alice', `to ${name}`, { in_reply_to_id: root });
    const answers = async () => (await texts()).filter((text) => text.startsWith('to ')).sort();
    expect(await answers()).toEqual(['to alice', 'to bob', 'to reader']);
    await app.world.remote('zoe', 'far.test');
    await app.world.follow('reader', 'zoe@far.test');
    await app.sql('update follows set state = 1');
    await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id('zoe@far.test')] }).expect(200);
    await answerUnknown(app, id('zoe@far.test'));
    await change({ replies_policy: 'followed' });
    expect(await answers()).toEqual(['to alice', 'to bob', 'to carol', 'to reader']);
    await change({ replies_policy: 'none' });
    expect(await answers()).toEqual(['to alice', 'to reader']);
  });

  it('shows a post once, without unwanted boosts', async () => {
    const byAlice = await post(app, 'alice', 'by alice');
    const byDave = await post(app, 'dave', 'by dave');
    await reblog(app, 'bob', byAlice.id);
    await reblog(app, 'alice', byDave.id);
    await reblog(app, 'bob', byDave.id);
    expect(await texts()).toEqual(['by dave', 'by alice']);
    await app.get(FollowsService).follow(id('reader'), id('alice'), { reblogs: false });
    await app.get(FollowsService).follow(id('reader'), id('bob'), { reblogs: false });
    expect(await texts()).toEqual(['by alice']);
  });

  it('hides muted and blocking accounts, and filters by visibility, attachments and origin', async () => {
    await post(app, 'alice', 'by alice');
    await post(app, 'bob', 'quiet', { visibility: 'unlisted' });
    await post(app, 'bob', 'to @dave');
    await app.get(BlocksService).mute(id('reader'), id('alice'));
    expect(await texts()).toEqual([expect.stringContaining('to'), 'quiet']);
    expect(await texts({ with_muted: true })).toHaveLength(3);
    expect(await texts({ exclude_visibilities: ['unlisted'] })).toEqual([expect.stringContaining('to')]);
    expect(await texts({ only_media: true })).toEqual([]);
    expect(await texts({ remote: true })).toEqual([]);
    expect(await texts({ local: true })).toHaveLength(2);
    await app.get(BlocksService).block(id('dave'), id('reader'));
    expect(await texts()).toEqual(['quiet']);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    expect(await texts()).toEqual([]);
  });

  it('pages in both directions, even when other accounts post much more', async () => {
    const early = await makeStatuses(app, ['alice', 'bob'], 25);
    await makeStatuses(app, 'dave', 2_001);
    const late = await makeStatuses(app, ['bob', 'alice'], 20, { visibility: Visibility.private });
    const newestFirst = [...early, ...late].reverse();
    const pages: string[] = [];
    for (let max: string | undefined; ;) {
      const entries: StatusJson[] = await page({ limit: 20, ...(max ? { max_id: max } : {}) });
      if (entries.length === 0) break;
      pages.push(...entries.map((entry) => entry.id));
      max = entries.at(-1)!.id;
    }
    expect(pages).toEqual(newestFirst);
    const upwards = await page({ min_id: early[9], limit: 40 });
    expect(upwards.map((entry) => entry.id)).toEqual(newestFirst.slice(0, 35));
  });
});

describe('an exclusive list', () => {
  it.each(['above', 'below'])(
    'hides posts of its members from the home timeline, %s the floor of the feed',
    async (where) => {
      const byAlice = await post(app, 'alice', 'by alice');
      const byDave = await post(app, 'dave', 'by dave');
      await post(app, 'carol', 'by carol');
      await reblog(app, 'carol', byAlice.id);
      await reblog(app, 'alice', byDave.id);
      await app.drain();
      if (where === 'below') await app.sql(`update users set feed_floor = '~'`);
      expect(await home()).toEqual(['by dave', 'by carol', 'by alice']);
      await change({ exclusive: true });
      expect(await home()).toEqual(['by carol']);
      expect(await texts()).toEqual(['by dave', 'by alice']);
      await reader.delete(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id('alice')] }).expect(200);
      expect(await home()).toEqual(['by dave', 'by carol', 'by alice']);
      await change({ exclusive: false });
    },
  );

  it('leaves the boost of a followee when a member boosted the same post', async () => {
    const byDave = await post(app, 'dave', 'by dave');
    await reblog(app, 'alice', byDave.id);
    await reblog(app, 'carol', byDave.id);
    await app.drain();
    await change({ exclusive: true });
    expect(await home()).toEqual(['by dave']);
    await app.sql(`update users set feed_floor = '~'`);
    expect(await home()).toEqual(['by dave']);
  });

  it('changes the home timeline of its owner only', async () => {
    await app.world.follow('dave', 'alice');
    await post(app, 'alice', 'by alice');
    await app.drain();
    await change({ exclusive: true });
    const entries = await ok<StatusJson[]>((await app.world.as('dave')).get('/api/v1/timelines/home'));
    expect(shown(entries)).toEqual(['by alice']);
  });
});
