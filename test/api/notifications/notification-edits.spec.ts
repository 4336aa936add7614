import { BlocksService } from '../../../src/accounts/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { ModeratedStatusesService, RemoteStatusesService, StatusEdited } from '../../../src/statuses/index.js';
import { PollsService } from '../../../src/statuses/polls/polls.service.js';
import { useApp } from '../../support/servers/app.js';
import { receivedBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { ok, post, reblog, remoteStatus } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });
/** A post by alice. */
let tea: string;

beforeEach(async () => {
  tea = (await post(app, 'alice', 'tea')).id;
});

const id = (nickname: string) => app.world.id(nickname);
const edit = async (status: string, values: object = {}) =>
  ok((await app.world.as('alice')).put(`/api/v1/statuses/${tea}`, { status, ...values }));
/** The notifications of edits that the account got: their author, the id and the content of the post. */
const updates = async (nickname: string) =>
  (await notificationsOf(app, nickname, { types: ['update'] })).map(({ account, status }) => [
    account.acct,
    status?.id,
    status?.content,
  ]);

describe('an edit of a post', () => {
  it('notifies accounts that boosted or answered the post, and no others', async () => {
    await reblog(app, 'bob', tea);
    const answer = await post(app, 'carol', 'with milk?', { in_reply_to_id: tea });
    await post(app, 'dave', '@carol for me too', { in_reply_to_id: answer.id });
    await reblog(app, 'alice', tea);
    await edit('green tea');
    for (const nickname of ['bob', 'carol'])
      expect(await updates(nickname)).toEqual([['alice', tea, '<p>green tea</p>']]);
    for (const nickname of ['alice', 'dave']) expect(await updates(nickname)).toEqual([]);
    expect(await receivedBy(app, 'bob')).toEqual(['update alice']);
    expect(await receivedBy(app, 'bob', { exclude_types: ['update'] })).toEqual([]);
  });

  it('notifies an account once, and only of the mention when the edit adds one', async () => {
    await reblog(app, 'bob', tea);
    await post(app, 'bob', 'one', { in_reply_to_id: tea });
    await post(app, 'bob', 'two', { in_reply_to_id: tea });
    await reblog(app, 'carol', tea);
    await edit('tea for @carol');
    expect(await updates('bob')).toHaveLength(1);
    expect(await receivedBy(app, 'carol')).toEqual(['mention alice']);
  });

  it('of another server notifies the author of the post that it quotes now, and takes back what it quoted before', async () => {
    const milk = (await post(app, 'bob', 'milk')).id;
    const [named, posts] = [
      { uri: 'https://far.test/1', authorId: (await app.world.remote('zoe', 'far.test')).id },
      app.get(RemoteStatusesService),
    ];
    const quoting = async (quoteOfId: string | null) => {
      const [quoted] = await app.sql<{ uri: string }>('select uri from statuses where id = $1', [quoteOfId]);
      return remoteStatus(named, { quoteOfId, quoteUri: quoted?.uri ?? null, editedAt: new Date() });
    };
    const quotes = async () => {
      const types = ['quote'];
      return [await receivedBy(app, 'alice', { types }), await receivedBy(app, 'bob', { types })];
    };
    await posts.create(await quoting(tea));
    expect(await quotes()).toEqual([['quote zoe@far.test'], []]);
    await posts.edit(await quoting(milk));
    expect(await quotes()).toEqual([[], ['quote zoe@far.test']]);
    await posts.edit(await quoting(null));
    expect(await quotes()).toEqual([[], []]);
  });

  it('by the staff notifies as one by its author, but not of a post of another server, which its author did not edit', async () => {
    const { id: zoe } = await app.world.remote('zoe', 'far.test');
    const far = (await app
      .get(RemoteStatusesService)
      .create(remoteStatus({ uri: 'https://far.test/1', authorId: zoe })))!.statusId;
    for (const status of [tea, far]) {
      await reblog(app, 'bob', status);
      await post(app, 'carol', 'with milk?', { in_reply_to_id: status });
      await post(app, 'dave', 'so true', { quote_id: status });
      await app.drain();
      await app.get(ModeratedStatusesService).change(status, { sensitive: true });
      await app.drain();
    }
    expect([await receivedBy(app, 'bob'), await receivedBy(app, 'carol'), await receivedBy(app, 'dave')]).toEqual([
      ['update alice'],
      ['update alice'],
      ['quoted_update alice'],
    ]);
  });

  it('replaces the notification of the edit before with a new, unread one', async () => {
    await reblog(app, 'bob', tea);
    await edit('green tea');
    const [first] = await notificationsOf(app, 'bob');
    await (await app.world.as('bob')).post('/api/v1/svc/notifications/read', { id: first!.id }).expect(200);
    await post(app, 'carol', '@bob hello');
    await edit('black tea');
    const [second, mention, ...others] = await notificationsOf(app, 'bob');
    expect(others).toEqual([]);
    expect(mention).toMatchObject({ type: 'mention' });
    expect(second).toMatchObject({ type: 'update', status: { content: '<p>black tea</p>' }, svc: { is_seen: false } });
    expect(BigInt(second!.id) > BigInt(mention!.id)).toBe(true);
    expect(Date.parse(second!.created_at)).toBeGreaterThan(Date.parse(first!.created_at));
  });

  it('notifies once of a burst of edits, even when a job runs late or twice', async () => {
    await reblog(app, 'bob', tea);
    await app.drain();
    for (let n = 1; n <= 5; n += 1) await edit(`tea ${n}`);
    await Promise.all([app.drain(), app.drain(), app.drain()]);
    const [row, ...others] = await app.sql<{ id: string }>(
      `select id, status_version from notifications where type = 'update'`,
    );
    expect(others).toEqual([]);
    const [{ version } = { version: 0 }] = await app.sql<{ version: number }>(
      'select version from statuses where id = $1',
      [tea],
    );
    expect(row).toMatchObject({ status_version: version });
    await app.sql('update statuses set version = version + 1'); // as a preview card does
    for (const late of [2, version]) {
      await app.get(UnitOfWork).run(() => {
        const facts = {
          statusId: tea,
          authorId: id('alice'),
          local: true,
          visibility: 0,
          isRevision: true,
          pollChanged: false,
          mentionedIds: [],
          joinsTag: false,
          former: { visibility: 0, tags: [], hasMedia: false },
        };
        app.get(Events).emit(new StatusEdited({ ...facts, version: late }));
        return Promise.resolve();
      });
    }
    await app.drain();
    expect(await app.sql(`select id from notifications where type = 'update'`)).toEqual([{ id: row!.id }]);
  });

  it('notifies no blocked or blocking accounts, and hides its notification from muting ones', async () => {
    for (const nickname of ['bob', 'carol', 'dave']) await reblog(app, nickname, tea);
    await app.get(BlocksService).block(id('bob'), id('alice'));
    await app.get(BlocksService).block(id('alice'), id('carol'));
    await app.get(BlocksService).mute(id('dave'), id('alice'), {});
    await app.drain();
    await edit('green tea');
    for (const nickname of ['bob', 'carol', 'dave']) expect(await updates(nickname)).toEqual([]);
    const rows = await app.sql(`select receiver_id, seen from notifications where type = 'update'`);
    expect(rows).toEqual([{ receiver_id: id('dave'), seen: true }]);
    expect(await receivedBy(app, 'dave', { with_muted: true })).toEqual(['update alice']);
  });

  it('notifies the authors of its quotes once per quote, with the quote', async () => {
    const quotes = [
      await post(app, 'bob', 'so true', { quote_id: tea }),
      await post(app, 'bob', 'again', { quote_id: tea, visibility: 'private' }),
      await post(app, 'alice', 'as I said', { quote_id: tea }),
      await post(app, 'carol', 'no', { quote_id: tea }),
      await post(app, 'dave', 'no', { quote_id: tea }),
    ];
    await (await app.world.as('alice')).post(`/api/v1/statuses/${tea}/quotes/${quotes[4]!.id}/revoke`).expect(200);
    const filter = { title: 'Drinks', context: ['notifications'], keywords_attributes: [{ keyword: 'green' }] };
    await (await app.world.as('carol')).post('/api/v2/filters', { ...filter, filter_action: 'hide' }).expect(200);
    await edit('black tea');
    await edit('green tea');
    const quotedUpdates = async (nickname: string) => {
      const listed = await notificationsOf(app, nickname, { types: ['quoted_update'] });
      return listed.map(({ account, status }) => [account.acct, status?.id]);
    };
    expect((await quotedUpdates('bob')).toSorted()).toEqual([0, 1].map((at) => ['alice', quotes[at]!.id]));
    for (const nickname of ['alice', 'carol', 'dave']) expect(await quotedUpdates(nickname)).toEqual([]);
    await edit('herbal tea');
    expect(await quotedUpdates('carol')).toEqual([['alice', quotes[3]!.id]]);
    await (await app.world.as('bob')).delete(`/api/v1/statuses/${quotes[0]!.id}`).expect(200);
    expect(await quotedUpdates('bob')).toEqual([['alice', quotes[1]!.id]]);
  });

  it('V3 does not notify accounts that may no longer see the post', async () => {
    await app.world.follow('bob', 'alice');
    tea = (await post(app, 'alice', 'tea', { visibility: 'private' })).id;
    await post(app, 'bob', 'for me?', { in_reply_to_id: tea });
    await (await app.world.as('bob')).post(`/api/v1/accounts/${id('alice')}/unfollow`).expect(200);
    await edit('green tea');
    expect(await updates('bob')).toEqual([]);
    expect(await app.sql(`select from notifications where type = 'update'`)).toEqual([]);
  });

  it('does not notify, and removes the notification of the edit before, when a filter hides the new text', async () => {
    await reblog(app, 'bob', tea);
    const bob = await app.world.as('bob');
    const keywords = [{ keyword: 'coffee' }];
    const filter = { title: 'x', context: ['notifications'], filter_action: 'hide', keywords_attributes: keywords };
    await ok(bob.post('/api/v2/filters', filter));
    await edit('green tea');
    expect(await updates('bob')).toHaveLength(1);
    await edit('coffee');
    expect(await updates('bob')).toEqual([]);
    expect(await app.sql(`select from notifications where type = 'update'`)).toEqual([]);
  });

  it('is read when a filter that is made later hides the post: the count and the list agree', async () => {
    const bob = await app.world.as('bob');
    const unread = async () => (await ok<{ count: number }>(bob.get('/api/v1/notifications/unread_count'))).count;
    await reblog(app, 'bob', tea);
    await edit('green tea');
    await post(app, 'alice', '@bob coffee?');
    await app.drain();
    const filter = { title: 'x', keywords_attributes: [{ keyword: 'green' }], filter_action: 'hide' };
    const { id: made } = await ok<{ id: string }>(bob.post('/api/v2/filters', { ...filter, context: ['home'] }));
    await app.drain();
    expect([await unread(), (await notificationsOf(app, 'bob')).length]).toEqual([2, 2]);
    await ok(bob.put(`/api/v2/filters/${made}`, { context: ['home', 'notifications'] }));
    await app.drain();
    expect([await unread(), (await notificationsOf(app, 'bob')).length]).toEqual([1, 1]);
  });

  it('has a notification read whose post a filter hides from then on: the count and the list agree', async () => {
    const carol = await app.world.as('carol');
    const bob = await app.world.as('bob');
    const filter = { title: 'x', context: ['notifications'], keywords_attributes: [{ keyword: 'coffee' }] };
    await ok(bob.post('/api/v2/filters', { ...filter, filter_action: 'hide' }));
    await ok(carol.post('/api/v2/filters', { ...filter, filter_action: 'warn' }));
    await app.world.follow('bob', 'alice');
    const { id: named } = await post(app, 'alice', '@bob @carol tea?');
    const counts = async () => {
      await app.drain();
      const unread = await ok<{ count: number }>(bob.get('/api/v1/notifications/unread_count'));
      return [unread.count, (await notificationsOf(app, 'bob', { types: ['mention'] })).length];
    };
    expect(await counts()).toEqual([1, 1]);
    await ok((await app.world.as('alice')).put(`/api/v1/statuses/${named}`, { status: '@bob @carol coffee?' }));
    expect(await counts()).toEqual([0, 0]);
    expect(await ok(carol.get('/api/v1/notifications/unread_count'))).toEqual({ count: 1 });
  });

  it('allows another notification of the end of the poll when it extends or replaces the poll', async () => {
    const poll = { options: ['a', 'b'], expires_in: 600 };
    await edit('tea?', { poll });
    const over = async () => {
      await app.sql(`update polls set expires_at = now() - interval '1 second'`);
      await app.sql('update jobs set run_at = now()');
      await app.drain();
      return app.sql<{ id: string }>(`select id from notifications where type = 'poll'`);
    };
    const [first] = await over();
    expect(first).toBeDefined();
    await ok((await app.world.as('alice')).put(`/api/v1/statuses/${tea}`, { sensitive: true }));
    expect(await over()).toEqual([first]);
    const ends = [first!.id];
    for (const changed of [poll, { ...poll, options: ['c', 'd'] }]) {
      await edit('tea!', { poll: changed });
      await app.drain();
      expect(await app.sql(`select from notifications where type = 'poll'`)).toEqual([]);
      const [end] = await over();
      expect(ends).not.toContain(end!.id);
      ends.push(end!.id);
    }
    await edit('tea.', { poll: null });
    expect(await over()).toEqual([]);
  });

  it('prevents a late job from notifying of the old end of an extended poll', async () => {
    const poll = { options: ['a', 'b'], expires_in: 600 };
    const end = async () => {
      await app.sql(`update polls set expires_at = now() - interval '1 second'`);
      await app.get(PollsService).close({ statusId: tea });
    };
    await edit('tea?', { poll });
    await app.drain();
    await end();
    await app.sql(`update jobs set run_at = now() + interval '1 hour' where name = 'notifications.poll'`);
    await edit('tea!', { poll });
    await app.drain();
    await app.sql(`update jobs set run_at = now() where name = 'notifications.poll'`);
    await app.drain();
    expect(await receivedBy(app, 'alice')).toEqual([]);
    await end();
    await app.drain();
    expect(await receivedBy(app, 'alice')).toEqual(['poll alice']);
  });

  it('of another server that extends a poll after its end takes back the notification of the end, and allows another', async () => {
    const named = { uri: 'https://far.test/1', authorId: (await app.world.remote('zoe', 'far.test')).id };
    const options = ['a', 'b'].map((title) => ({ title, votes: 0 }));
    const asking = () => {
      const expiresAt = new Date(Date.now() + 600_000);
      const poll = { options, multiple: false, expiresAt, voters: 0, mayBeMore: false, nonAnonymous: false };
      return remoteStatus(named, { poll, sentAt: new Date() });
    };
    const posts = app.get(RemoteStatusesService);
    const { statusId } = (await posts.create(asking()))!;
    await app.sql('insert into poll_votes (poll_id, account_id, choices) select id, $1, $2 from polls', [
      id('bob'),
      [0],
    ]);
    const listed = async () => {
      await app.drain();
      return (await notificationsOf(app, 'bob', { types: ['poll'] })).map((notification) => notification.id);
    };
    const end = async () => {
      await app.sql(`update notifications set created_at = created_at - interval '1 minute'`);
      await app.sql(`update polls set expires_at = now() - interval '1 second'`);
      await app.get(PollsService).close({ statusId });
      return listed();
    };
    const [first] = await end();
    expect(first).toBeDefined();
    await posts.edit(asking());
    expect(await listed()).toEqual([]);
    const [second] = await end();
    await posts.edit(asking());
    await app.sql(`update jobs set run_at = now() + interval '1 hour' where name = 'notifications.poll-reopened'`);
    const [third] = await end();
    expect(third).not.toBe(second);
    await app.sql(`update jobs set run_at = now() where name = 'notifications.poll-reopened'`);
    expect(await listed()).toEqual([third]);
  });

  it('loses its notifications with the post', async () => {
    await reblog(app, 'bob', tea);
    await edit('green tea');
    expect(await updates('bob')).toHaveLength(1);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${tea}`).expect(200);
    expect(await app.sql('select from notifications')).toEqual([]);
  });
});
