import { AccountDeletionService, BlocksService, FollowsService, MovesService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { INBOX_HOST_ADDRESS, type InboxHost, type Received, startInboxHost } from '../support/federation/inbox-host.js';
import { makeFollows } from '../support/fixtures/factories.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';
import type { Client } from '../support/fixtures/world.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const ALICE = 'https://svc.test/users/alice';
const FOLLOWERS = `${ALICE}/followers`;
const STATUSES = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: INBOX_HOST_ADDRESS } });
let far: InboxHost;
let other: InboxHost;
let alice: Client;
let zoe: string;

beforeEach(async () => {
  alice = await app.world.as('alice');
  [far, other] = await Promise.all([startInboxHost(), startInboxHost()]);
  zoe = await far.account(app, 'zoe');
});
afterEach(() => Promise.all([far.close(), other.close()]));

const follows = (followers: string[]) => makeFollows(app, followers, app.world.id('alice'));

/** The activities that a host received after all jobs. */
async function sent(host = far): Promise<Received['activity'][]> {
  await app.drain();
  return host.received().map(({ activity }) => activity);
}

/** A public post of zoe. */
async function remoteStatus(id = 'REMOTE000000000001'): Promise<{ id: string; uri: string }> {
  const uri = `${far.uri('zoe')}/notes/${id}`;
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, content_html, local) values ($1, $2, $3, 0, 'far', false)`,
    [id, zoe, uri],
  );
  await app.sql('insert into status_stats (status_id) values ($1)', [id]);
  return { id, uri };
}

describe('a post', () => {
  it('is sent once to each remote server with followers, and so are its edit and its deletion', async () => {
    await follows([zoe, await far.account(app, 'amy'), app.world.id('bob')]);
    const { id } = await post(app, 'alice', 'hello');
    const [activity, ...more] = await sent();
    expect(more).toEqual([]);
    const { id: uri } = activity?.['object'] as { id: string };
    expect(activity).toMatchObject({
      id: `${uri}/activity`,
      type: 'Create',
      actor: ALICE,
      to: [PUBLIC],
      cc: [FOLLOWERS],
    });
    expect(activity?.['object']).toMatchObject({ type: 'Note', content: expect.stringContaining('hello') });
    await ok(alice.put(`${STATUSES}/${id}`, { status: 'goodbye' }));
    expect(await sent()).toMatchObject([{ type: 'Update', id: `${uri}#updates/2`, object: { id: uri } }]);
    await ok(alice.delete(`${STATUSES}/${id}`));
    expect(await sent()).toMatchObject([{ type: 'Delete', actor: ALICE, object: { id: uri, type: 'Tombstone' } }]);
  });

  it.each([
    ['public', '/inbox'],
    ['unlisted', '/inbox'],
    ['private', '/users/zoe/inbox'],
  ])('with visibility %s is sent to %s when there is one follower', async (visibility, path) => {
    await follows([zoe]);
    await post(app, 'alice', 'hello', { visibility });
    await app.drain();
    expect(far.received().map((each) => each.path)).toEqual([path]);
  });

  it('for followers is sent to a shared inbox for several followers, and to personal inboxes without one', async () => {
    const [amy, ann] = await Promise.all(
      ['amy', 'ann'].map((name) => other.account(app, name, { hasSharedInbox: false })),
    );
    await follows([zoe, await far.account(app, 'eve'), amy!, ann!]);
    await post(app, 'alice', 'hello', { visibility: 'private' });
    await app.drain();
    expect(far.received().map(({ path }) => path)).toEqual(['/inbox']);
    expect(
      other
        .received()
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/users/amy/inbox', '/users/ann/inbox']);
  });

  it('that is direct reaches only the mentioned accounts', async () => {
    await follows([zoe, await other.account(app, 'amy')]);
    await post(app, 'alice', `@zoe@${far.host} psst`, { visibility: 'direct' });
    expect(await sent()).toMatchObject([{ type: 'Create', directMessage: true, to: [far.uri('zoe')], cc: [] }]);
    expect(await sent(other)).toEqual([]);
  });

  it('is not sent when it is for this server only', async () => {
    await follows([zoe]);
    const { id } = await post(app, 'alice', `@zoe@${far.host} hi`, { visibility: 'local' });
    await ok(alice.put(`${STATUSES}/${id}`, { status: 'more' }));
    await ok(alice.delete(`${STATUSES}/${id}`));
    expect(await sent()).toEqual([]);
    expect(await app.sql('select from activities')).toEqual([]);
  });

  it('for a list is sent to each server with the names of its own members only', async () => {
    const [eve, amy] = await Promise.all([far.account(app, 'eve'), other.account(app, 'amy')]);
    await makeFollows(app, app.world.id('alice'), [zoe, eve, amy]);
    const list = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'tea' }));
    await ok(alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [zoe, eve, amy] }));
    await app.drain();
    await post(app, 'alice', 'tea?', { visibility: `list:${list.id}` });
    const [here] = await sent(far);
    const [there] = await sent(other);
    expect((here?.['cc'] as string[]).toSorted()).toEqual([far.uri('eve'), far.uri('zoe')]);
    expect(here?.['object']).toMatchObject({ to: [], cc: here?.['cc'] });
    expect(there).toMatchObject({ to: [], cc: [other.uri('amy')] });
    expect(there?.['object']).toMatchObject({ id: (here?.['object'] as { id: string }).id });
  });

  it('that replies to a remote post is sent to the author of that post and names it', async () => {
    const { id, uri } = await remoteStatus();
    await post(app, 'alice', 'indeed', { in_reply_to_id: id });
    const [activity] = await sent();
    expect(activity).toMatchObject({ type: 'Create', object: { inReplyTo: uri } });
    expect(activity?.['to']).toContain(far.uri('zoe'));
  });

  it('is also deleted on servers that replied to it or boosted it', async () => {
    const { id } = await post(app, 'alice', 'hello');
    const amy = await other.account(app, 'amy');
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, local, in_reply_to_id, reblog_of_id) values
         ('A1', $1, 'https://far.test/1', 0, false, $3, null), ('A2', $2, 'https://far.test/2', 0, false, null, $3)`,
      [zoe, amy, id],
    );
    await ok(alice.delete(`${STATUSES}/${id}`));
    expect(await sent(far)).toMatchObject([{ type: 'Delete' }]);
    expect(await sent(other)).toMatchObject([{ type: 'Delete' }]);
  });

  it('is not sent when it is deleted before its job runs', async () => {
    await follows([zoe]);
    const { id } = await post(app, 'alice', 'hello');
    await ok(alice.delete(`${STATUSES}/${id}`));
    expect((await sent()).map(({ type }) => type)).toEqual(['Delete']);
  });

  it('is sent once even when its job runs twice', async () => {
    await follows([zoe]);
    await post(app, 'alice', 'hello');
    await app.sql(
      `insert into jobs (name, queue, payload) select name, queue, payload from jobs where name = 'federation.send-created'`,
    );
    expect(await sent()).toHaveLength(1);
  });

  it('is not sent while federation is off', async () => {
    await follows([zoe]);
    await app.get(SettingsService).update([{ path: 'instance.federating', value: false }]);
    await post(app, 'alice', 'hello');
    expect(await sent()).toEqual([]);
  });
});

describe('a boost', () => {
  it('is sent to the followers and the author, and so is its Undo', async () => {
    await follows([await other.account(app, 'amy')]);
    const { id, uri } = await remoteStatus();
    const [boost] = await app.sql<{ uri: string }>('select uri from statuses where id = $1', [
      (await reblog(app, 'alice', id)).id,
    ]);
    const announce = { type: 'Announce', actor: ALICE, object: uri, to: [PUBLIC, far.uri('zoe')], cc: [FOLLOWERS] };
    expect(await sent(far)).toMatchObject([{ ...announce, id: boost?.uri }]);
    expect(await sent(other)).toMatchObject([announce]);
    await ok(alice.post(`${STATUSES}/${id}/unreblog`));
    const undo = {
      type: 'Undo',
      actor: ALICE,
      object: { id: boost?.uri, type: 'Announce', actor: ALICE, object: uri },
    };
    expect(await sent(far)).toMatchObject([undo]);
    expect(await sent(other)).toMatchObject([undo]);
  });

  it('of a followers-only post embeds the post', async () => {
    await follows([zoe]);
    const { id } = await post(app, 'alice', 'ours', { visibility: 'private' });
    await sent();
    await reblog(app, 'alice', id);
    expect(await sent()).toMatchObject([
      { type: 'Announce', to: [FOLLOWERS], object: { type: 'Note', attributedTo: ALICE } },
    ]);
  });
});

describe('an interaction with a post', () => {
  it.each([['Like', 'favourite', 'unfavourite']])('is sent to the author and undone: %s', async (type, act, undo) => {
    const { id, uri } = await remoteStatus();
    await ok(alice.post(`${STATUSES}/${id}/${act}`));
    const [activity, ...more] = await sent();
    expect(activity).toMatchObject({ type, actor: ALICE, object: uri, to: [far.uri('zoe')] });
    expect(more).toEqual([]);
    await ok(alice.post(`${STATUSES}/${id}/${undo}`));
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { id: activity?.id, type, object: uri } }]);
    await ok(alice.post(`${STATUSES}/${id}/${act}`));
    const [again] = await sent();
    expect(again?.type).toBe(type);
    expect(again?.id).not.toBe(activity?.id);
  });

  it('is sent by its stored state, in any order of the jobs', async () => {
    const { id } = await remoteStatus();
    await ok(alice.post(`${STATUSES}/${id}/favourite`));
    await ok(alice.post(`${STATUSES}/${id}/unfavourite`));
    expect(await sent()).toEqual([]);
    await ok(alice.post(`${STATUSES}/${id}/favourite`));
    await sent();
    await ok(alice.post(`${STATUSES}/${id}/unfavourite`));
    await ok(alice.post(`${STATUSES}/${id}/favourite`));
    await app.sql(`update jobs set run_at = now() - interval '1 minute' where name = 'federation.send-like'`);
    expect(await sent()).toEqual([]);
  });

  it('includes the picture of an emoji of another server', async () => {
    const { id, uri } = await remoteStatus();
    const url = 'https://far.test/cat.png';
    await app.sql(`insert into reactions (status_id, account_id, name, url) values ($1, $2, 'cat@far.test', $3)`, [
      id,
      zoe,
      url,
    ]);
    const path = (name: string) => `/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent(name)}`;
    await ok(alice.put(path('cat@far.test')));
    const tag = [{ type: 'Emoji', name: ':cat:', icon: { url } }];
    expect(await sent()).toMatchObject([{ type: 'EmojiReact', object: uri, content: ':cat:', tag }]);
    await ok(alice.put(path('🍵')));
    expect(await sent()).toMatchObject([{ type: 'EmojiReact', content: '🍵' }]);
    await ok(alice.delete(path('🍵')));
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { type: 'EmojiReact', content: '🍵' } }]);
  });

  it('is not sent when both accounts are local', async () => {
    await follows([zoe]);
    const { id } = await post(app, 'alice', 'hello', { poll: { options: ['a', 'b'], expires_in: 600 } });
    await sent();
    const bob = await app.world.as('bob');
    await ok(bob.post(`${STATUSES}/${id}/favourite`));
    const names = await app.sql<{ name: string }>(`select name from jobs where name like 'federation.%'`);
    expect(names).toEqual([]);
  });
});

describe('a poll', () => {
  it('receives the votes of this server as notes, one for each option', async () => {
    const { id, uri } = await remoteStatus();
    await app.sql(`update statuses set flags = 2 where id = $1`, [id]);
    const [poll] = await app.sql<{ id: string }>(
      `insert into polls (status_id, expires_at, multiple) values ($1, now() + interval '1 day', true) returning id`,
      [id],
    );
    await app.sql(
      `insert into poll_options (poll_id, position, title) values ($1, 0, 'yes'), ($1, 1, 'no'), ($1, 2, 'both')`,
      [poll!.id],
    );
    await ok(alice.post(`/api/v1/polls/${poll!.id}/votes`, { choices: [0, 2] }));
    const votes = await sent();
    expect(votes.map(({ object }) => (object as { name: string }).name)).toEqual(['yes', 'both']);
    for (const { object, to } of votes) {
      expect(to).toEqual([far.uri('zoe')]);
      expect(object).toMatchObject({ type: 'Note', inReplyTo: uri, attributedTo: ALICE, to: [far.uri('zoe')] });
    }
  });
});

describe('a follow or block', () => {
  const followService = () => app.get(FollowsService);

  it('sends a Follow to the remote account, and an Undo when the follow ends', async () => {
    await ok(alice.post(`/api/v1/accounts/${zoe}/follow`));
    const [follow] = await sent();
    expect(follow).toMatchObject({ type: 'Follow', actor: ALICE, object: far.uri('zoe'), to: [far.uri('zoe')] });
    await followService().accept(zoe, app.world.id('alice'));
    expect(await sent()).toEqual([]);
    await ok(alice.post(`/api/v1/accounts/${zoe}/unfollow`));
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { ...follow, '@context': undefined } }].map(defined));
    await ok(alice.post(`/api/v1/accounts/${zoe}/follow`));
    expect(await sent()).toMatchObject([{ type: 'Follow' }]);
  });

  it('sends Accept and Reject with the Follow that the remote account sent', async () => {
    const uri = `${far.uri('zoe')}/follows/1`;
    const me = app.world.id('alice');
    await followService().follow(zoe, me, {}, { kind: 'remote', uri });
    const object = { id: uri, type: 'Follow', actor: far.uri('zoe'), object: ALICE };
    expect(await sent()).toMatchObject([{ type: 'Accept', actor: ALICE, to: [far.uri('zoe')], object }]);
    await followService().removeFollower(me, zoe);
    expect(await sent()).toMatchObject([{ type: 'Reject', actor: ALICE, object }]);
    await app.sql('update accounts set locked = true where id = $1', [me]);
    await followService().follow(zoe, me, {}, { kind: 'remote', uri });
    expect(await sent()).toEqual([]);
    await followService().accept(me, zoe);
    expect(await sent()).toMatchObject([{ type: 'Accept', object }]);
    await followService().unfollow(zoe, me);
    expect(await sent()).toEqual([]);
  });

  it('sends a Block and its Undo unless the operator turns them off', async () => {
    const block = (on: boolean) =>
      on
        ? app.get(BlocksService).block(app.world.id('alice'), zoe)
        : app.get(BlocksService).unblock(app.world.id('alice'), zoe);
    await block(true);
    const [first] = await sent();
    expect(first).toMatchObject({ type: 'Block', actor: ALICE, object: far.uri('zoe') });
    await block(false);
    expect(await sent()).toMatchObject([{ type: 'Undo', object: { id: first?.id, type: 'Block' } }]);
    await app.get(SettingsService).update([{ path: 'activitypub.outgoing_blocks', value: false }]);
    await block(true);
    await block(false);
    expect(await sent()).toEqual([]);
  });
});

describe('an account', () => {
  it('sends its profile, its pins and its move to its followers', async () => {
    await follows([zoe]);
    await ok(alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' }));
    expect(await sent()).toMatchObject([
      { type: 'Update', actor: ALICE, to: [FOLLOWERS], object: { id: ALICE, type: 'Person', name: 'Alice A.' } },
    ]);
    const { id } = await post(app, 'alice', 'look');
    await sent();
    await ok(alice.post(`${STATUSES}/${id}/pin`));
    const target = `${ALICE}/collections/featured`;
    expect(await sent()).toMatchObject([{ type: 'Add', actor: ALICE, target }]);
    await ok(alice.post(`${STATUSES}/${id}/unpin`));
    expect(await sent()).toMatchObject([{ type: 'Remove', actor: ALICE, target }]);
    await app.sql(`update accounts set also_known_as = array[$2] where id = $1`, [zoe, ALICE]);
    await app.get(MovesService).move(app.world.id('alice'), zoe);
    expect(await sent()).toMatchObject([{ type: 'Move', object: ALICE, target: far.uri('zoe'), to: [FOLLOWERS] }]);
  });

  it('sends its deletion to followers and followed accounts, with a key that is stored until then', async () => {
    await follows([zoe]);
    await makeFollows(app, app.world.id('alice'), await other.account(app, 'amy'));
    await post(app, 'alice', 'hello');
    await app.drain();
    far.received();
    await app.get(AccountDeletionService).delete(app.world.id('alice'));
    const deletion = { type: 'Delete', actor: ALICE, object: ALICE };
    expect(await sent(far)).toMatchObject([deletion]);
    expect(await sent(other)).toMatchObject([deletion]);
    expect(await app.sql(`select type from activities where type <> 'Delete'`)).toEqual([]);
  });

  it('is reported in the name of the server when the report is forwarded', async () => {
    const { id, uri } = await remoteStatus();
    const report = { account_id: zoe, status_ids: [id], comment: 'spam' };
    await ok(alice.post('/api/v1/reports', report));
    expect(await sent()).toEqual([]);
    await ok(alice.post('/api/v1/reports', { ...report, forward: true }));
    await app.drain();
    const [received] = far.received();
    const actor = 'https://svc.test/internal/fetch';
    expect(received?.activity).toMatchObject({ type: 'Flag', actor, object: [far.uri('zoe'), uri], content: 'spam' });
    expect(received?.headers['signature']).toContain(`keyId="${actor}#main-key"`);
  });
});

/** Removes undefined values, which JSON does not have. */
function defined<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
