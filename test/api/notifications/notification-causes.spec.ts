import { BlocksService, Followed, FollowRequested, FollowsService, Unfollowed } from '../../../src/accounts/index.js';
import { NotificationTrimService } from '../../../src/notifications/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import {
  Favourited,
  RemoteStatusesService,
  StatusCreated,
  StatusDeleted,
  Unfavourited,
  Unreacted,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { receivedBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { post, reblog, remoteStatus } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

const id = (nickname: string) => app.world.id(nickname);
/** An action of bob on a status of alice. */
const byBob = (statusId: string) => ({
  statusId,
  accountId: id('bob'),
  authorId: id('alice'),
  actorLocal: true,
  targetLocal: true,
});
const follows = () => app.get(FollowsService);
const received = (nickname: string, query = {}) => receivedBy(app, nickname, query);
const rows = () => app.sql('select receiver_id, type, from_id, status_id, seen from notifications order by id');
const act = async (nickname: string, path: string) => {
  await (await app.world.as(nickname)).post(`/api/v1/${path}`).expect(200);
};
const emit = (event: object) =>
  app.get(UnitOfWork).run(() => {
    app.get(Events).emit(event);
    return Promise.resolve();
  });
/** The event of a new post or boost. */
const created = (statusId: string, authorId: string, facts: Partial<StatusCreated> = {}) =>
  new StatusCreated({
    statusId,
    authorId,
    local: true,
    visibility: 0,
    reblogOfId: null,
    inReplyToId: null,
    hasMentions: false,
    hasTags: false,
    isQuote: false,
    hasLinks: false,
    hasSubscribers: true,
    isNews: true,
    ...facts,
  });

describe('an account is notified', () => {
  it('once of a post that mentions it, and of replies', async () => {
    const root = await post(app, 'alice', '@bob @bob hello');
    await post(app, 'bob', 'hello yourself', { in_reply_to_id: root.id });
    await post(app, 'carol', 'nobody in particular');
    expect(await received('bob')).toEqual(['mention alice']);
    expect(await received('alice')).toEqual(['mention bob']);
    expect(await received('carol')).toEqual([]);
    const [mention] = await notificationsOf(app, 'bob');
    expect(mention).toMatchObject({ status: { id: root.id }, svc: { is_seen: false, is_muted: false } });
  });

  it('of favourites and boosts of its posts, until they are undone', async () => {
    const { id: status } = await post(app, 'alice', 'tea');
    await act('bob', `statuses/${status}/favourite`);
    await reblog(app, 'carol', status);
    expect((await received('alice')).sort()).toEqual(['favourite bob', 'reblog carol']);
    for (const { status: about } of await notificationsOf(app, 'alice')) expect(about?.id).toBe(status);
    await act('bob', `statuses/${status}/unfavourite`);
    expect(await received('alice')).toEqual(['reblog carol']);
    await act('carol', `statuses/${status}/unreblog`);
    expect(await received('alice')).toEqual([]);
    await act('bob', `statuses/${status}/favourite`);
    expect(await received('alice')).toEqual(['favourite bob']);
  });

  it('of followers, until either side ends the follow', async () => {
    await app.world.follow('bob', 'alice');
    await app.world.follow('carol', 'alice');
    expect(await received('alice')).toEqual(['follow carol', 'follow bob']);
    await follows().unfollow(id('bob'), id('alice'));
    expect(await received('alice')).toEqual(['follow carol']);
    await follows().removeFollower(id('alice'), id('carol'));
    expect(await received('alice')).toEqual([]);
  });

  it('of follow requests; the same row becomes the follow on acceptance', async () => {
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    await app.world.follow('bob', 'alice');
    await app.world.follow('carol', 'alice');
    const [, request] = await notificationsOf(app, 'alice');
    expect(await received('alice')).toEqual(['follow_request carol', 'follow_request bob']);
    await follows().accept(id('alice'), id('bob'));
    await follows().reject(id('alice'), id('carol'));
    const after = await notificationsOf(app, 'alice');
    expect(after).toMatchObject([{ id: request!.id, type: 'follow', created_at: request!.created_at }]);
  });

  it('of a follow when the request was accepted before the jobs ran', async () => {
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    await app.world.follow('bob', 'alice');
    await follows().accept(id('alice'), id('bob'));
    expect(await received('alice')).toEqual(['follow bob']);
  });

  it('of posts of subscribed authors, without replies, boosts and posts that it may not see', async () => {
    await follows().follow(id('bob'), id('alice'), { notify: true });
    await app.world.follow('carol', 'alice');
    const open = await post(app, 'alice', 'for all');
    const quiet = await post(app, 'alice', 'for friends', { visibility: 'private' });
    const named = await post(app, 'alice', '@bob for you');
    await post(app, 'alice', '@carol a secret', { visibility: 'direct' });
    await post(app, 'alice', 'and another thing', { in_reply_to_id: open.id });
    await reblog(app, 'alice', (await post(app, 'carol', 'by carol')).id);
    await app.drain();
    const listed = await notificationsOf(app, 'bob');
    expect(listed.map(({ type, status }) => [type, status?.id])).toEqual([
      ['mention', named.id],
      ['status', quiet.id],
      ['status', open.id],
    ]);
    await follows().follow(id('bob'), id('alice'), { notify: false });
    await post(app, 'alice', 'not notified');
    expect(await notificationsOf(app, 'bob')).toHaveLength(3);
  });

  it('of posts of a subscribed author of another server, without replies to posts that are not known here', async () => {
    const { id: authorId } = await app.world.remote('zoe', 'far.test');
    await app.sql('insert into follows (follower_id, followee_id, state, notify) values ($1, $2, 1, true)', [
      id('bob'),
      authorId,
    ]);
    const receive = (name: string, inReplyToUri: string | null) =>
      app
        .get(RemoteStatusesService)
        .create(remoteStatus({ uri: `https://far.test/${name}`, authorId }, { inReplyToUri }));
    await receive('answer', 'https://else.test/unknown');
    const own = await receive('own', null);
    await app.drain();
    expect((await notificationsOf(app, 'bob')).map(({ type, status }) => [type, status?.id])).toEqual([
      ['status', own?.statusId],
    ]);
  });

  it('of quotes, but only once of a post that also mentions it or that it is subscribed to', async () => {
    const hers = await post(app, 'alice', 'tea');
    await app.get(FollowsService).follow(id('alice'), id('carol'), { notify: true });
    const quote = await post(app, 'bob', 'look at this', { quote_id: hers.id });
    await post(app, 'bob', 'to followers', { quote_id: hers.id, visibility: 'private' });
    await post(app, 'bob', '@alice look', { quote_id: hers.id });
    await post(app, 'carol', 'I answer', { quote_id: hers.id, in_reply_to_id: (await post(app, 'carol', 'x')).id });
    await post(app, 'carol', 'look', { quote_id: hers.id });
    await post(app, 'alice', 'as I said', { quote_id: hers.id });
    await app.drain();
    const listed = await notificationsOf(app, 'alice', { types: ['quote', 'mention', 'status'] });
    expect(listed.map(({ type, account }) => `${type} ${account.acct}`).sort()).toEqual(
      ['mention bob', 'quote bob', 'quote carol', 'quote carol', 'status carol'].sort(),
    );
    expect(listed.find(({ account, type }) => type === 'quote' && account.acct === 'bob')).toMatchObject({
      status: { id: quote.id, svc: { quote: { id: hers.id } } },
    });
    await (await app.world.as('bob')).delete(`/api/v1/statuses/${quote.id}`).expect(200);
    expect(await received('alice', { types: ['quote'], account_id: id('bob') })).toEqual([]);
  });

  it('never of its own actions', async () => {
    const { id: status } = await post(app, 'alice', '@alice note to self');
    await act('alice', `statuses/${status}/favourite`);
    await reblog(app, 'alice', status);
    expect(await received('alice')).toEqual([]);
  });

  it('never of a post that addresses it without a mention, and never when it is remote', async () => {
    const remote = await app.world.remote('zoe', 'far.test');
    const [silent] = await makeStatuses(app, 'alice', 1);
    await app.sql('insert into mentions (status_id, account_id, silent) values ($1, $2, true), ($1, $3, false)', [
      silent,
      id('bob'),
      remote.id,
    ]);
    await emit(created(silent!, id('alice'), { hasMentions: true }));
    await app.drain();
    expect(await rows()).toEqual([]);
  });
});

describe('notifications are removed', () => {
  it('at once with their post', async () => {
    const { id: status } = await post(app, 'alice', '@bob @carol hello');
    await act('bob', `statuses/${status}/favourite`);
    await app.drain();
    expect(await rows()).toHaveLength(3);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${status}`).expect(200);
    expect(await rows()).toEqual([]);
    await app.drain();
    expect(await rows()).toEqual([]);
  });

  it('V10 on both sides of a block, but not those of others', async () => {
    await app.world.follow('bob', 'alice');
    await app.world.follow('alice', 'bob');
    for (const name of ['bob', 'alice']) await post(app, 'carol', `@${name} hello`);
    await post(app, 'bob', '@alice hello');
    await post(app, 'alice', '@bob hello');
    expect(await received('alice')).toEqual(['mention bob', 'mention carol', 'follow bob']);
    expect(await received('bob')).toEqual(['mention alice', 'mention carol', 'follow alice']);
    await app.get(BlocksService).block(id('alice'), id('bob'));
    await app.drain();
    expect((await rows()).length).toBe(2);
    expect(await received('alice')).toEqual(['mention carol']);
    expect(await received('bob')).toEqual(['mention carol']);
  });

  it('but not when the block ended before the job ran', async () => {
    await post(app, 'bob', '@alice hello');
    await app.drain();
    await app.get(BlocksService).block(id('alice'), id('bob'));
    await app.get(BlocksService).unblock(id('alice'), id('bob'));
    expect(await received('alice')).toEqual(['mention bob']);
  });

  it('but not when the undone action was repeated before the job ran', async () => {
    const { id: status } = await post(app, 'alice', 'tea');
    const bob = await app.world.as('bob');
    await act('bob', `statuses/${status}/favourite`);
    await bob.put(`/api/v1/svc/statuses/${status}/reactions/${encodeURIComponent('🍵')}`).expect(200);
    await reblog(app, 'bob', status);
    await app.world.follow('bob', 'alice');
    await app.drain();
    const listed = await rows();
    expect(listed).toHaveLength(4);
    const boost = { statusId: 'gone', authorId: id('bob'), uri: '', local: true, visibility: 0, reblogOfId: status };
    for (const late of [
      new Unfavourited(byBob(status)),
      new Unreacted('🍵', byBob(status)),
      new StatusDeleted({
        ...boost,
        addressedIds: [],
        groupId: null,
        tagIds: [],
        boosterIds: [],
        threadAuthorIds: [],
        endedQuoteUri: null,
        wasPublic: false,
      }),
      new Unfollowed(id('bob'), id('alice'), 'follower', true, true, null, true),
    ]) {
      await emit(late);
    }
    await app.drain();
    expect(await rows()).toEqual(listed);
  });

  it('D7 each night beyond 5,000 for one account, and after a year', async () => {
    const insert = (receiver: string, count: number, age: string) =>
      app.sql(
        `insert into notifications (receiver_id, type, from_id, created_at)
         select $1, 'poll', $2, now() - $3::interval from generate_series(1, $4::int)`,
        [id(receiver), id('carol'), age, count],
      );
    await insert('alice', 1_100, '366 days');
    await insert('bob', 3, '366 days');
    await insert('bob', 3, '364 days');
    await insert('alice', 1_200, '364 days');
    await insert('alice', 5_000, '1 day');
    const newest = await app.sql('select max(id) as newest from notifications');
    await app.get(NotificationTrimService).trim();
    const kept = await app.sql('select receiver_id, count(*)::int as kept from notifications group by 1 order by 2');
    expect(kept).toEqual([
      { receiver_id: id('bob'), kept: 3 },
      { receiver_id: id('alice'), kept: 5_000 },
    ]);
    expect(await app.sql('select max(id) as newest from notifications')).toEqual(newest);
    const [oldest] = await app.sql<{ young: boolean }>(
      `select created_at > now() - interval '2 days' as young from notifications where receiver_id = $1 order by id limit 1`,
      [id('alice')],
    );
    expect(oldest).toEqual({ young: true });
  });
});

describe('D3 the cause of a notification', () => {
  const causes = async (): Promise<object[]> => {
    const { id: hers } = await post(app, 'alice', '@bob @carol hello');
    await act('bob', `statuses/${hers}/favourite`);
    await reblog(app, 'carol', hers);
    await app.world.follow('bob', 'alice');
    await app.sql('update accounts set locked = true where id = $1', [id('carol')]);
    await app.world.follow('bob', 'carol');
    return [
      created(hers, id('alice'), { hasMentions: true }),
      new Favourited(byBob(hers)),
      created('', id('carol'), { reblogOfId: hers }),
      new Followed(id('bob'), id('alice'), true, true, true, null),
      new FollowRequested(id('bob'), id('carol'), true),
    ];
  };

  it('makes one row when its jobs run several times', async () => {
    const events = await causes();
    await app.drain();
    const once = await rows();
    expect(once).toHaveLength(6);
    for (const event of events) await emit(event);
    expect(await app.drain()).toBeGreaterThan(4);
    expect(await rows()).toEqual(once);
  });

  it('makes one row when several workers run at the same time', async () => {
    const events = await causes();
    for (let round = 0; round < 4; round += 1) for (const event of events) await emit(event);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => app.drain()));
    expect(await rows()).toHaveLength(6);
  });

  it('leaves a row if and only if it holds in the end, when it is done and undone concurrently', async () => {
    const { id: hers } = await post(app, 'alice', 'tea');
    const people = ['bob', 'carol'];
    for (let round = 0; round < 8; round += 1) {
      const actions = people.flatMap((nickname) =>
        ['favourite', 'unfavourite', 'reblog', 'unreblog'].map(async (action) => {
          const { status } = await (await app.world.as(nickname)).post(`/api/v1/statuses/${hers}/${action}`);
          expect([200, 404]).toContain(status); // a boost can be deleted before it is rendered
        }),
      );
      await Promise.all([...actions, app.drain(), app.drain(), app.drain()]);
      await app.drain();
      const done = await app.sql(
        `select 'favourite' as type, account_id as from_id from favourites
         union all select 'reblog', author_id from statuses where reblog_of_id is not null order by 1, 2`,
      );
      expect(await app.sql('select type, from_id from notifications order by 1, 2')).toEqual(done);
    }
  });
});
