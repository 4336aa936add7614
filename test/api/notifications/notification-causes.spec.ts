import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BlocksService, Followed, FollowRequested, FollowsService, Unfollowed } from '../../../src/accounts/index.js';
import { RetentionService } from '../../../src/notifications/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { Favourited, StatusCreated, StatusDeleted, Unfavourited, Unreacted } from '../../../src/statuses/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { makePosts } from '../../support/fixtures/factories.js';
import { heardBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { post, reblog } from '../../support/fixtures/statuses.js';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  await app.world.persons('alice', 'bob', 'carol');
});

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
const heard = (person: string, query = {}) => heardBy(app, person, query);
const rows = () => app.sql('select receiver_id, type, from_id, status_id, seen from notifications order by id');
const act = async (person: string, path: string) => {
  await (await app.world.as(person)).post(`/api/v1/${path}`).expect(200);
};
const emit = (event: object) =>
  app.get(UnitOfWork).run(() => {
    app.get(Events).emit(event);
    return Promise.resolve();
  });
/** The event of a post or boost, as whoever stored it would emit it. */
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
    ...facts,
  });

describe('people are told', () => {
  it('who names them, once, and of answers', async () => {
    const root = await post(app, 'alice', '@bob @bob hello');
    await post(app, 'bob', 'hello yourself', { in_reply_to_id: root.id });
    await post(app, 'carol', 'nobody in particular');
    expect(await heard('bob')).toEqual(['mention alice']);
    expect(await heard('alice')).toEqual(['mention bob']);
    expect(await heard('carol')).toEqual([]);
    const [mention] = await notificationsOf(app, 'bob');
    expect(mention).toMatchObject({ status: { id: root.id }, svc: { is_seen: false, is_muted: false } });
  });

  it('who likes and boosts what they wrote, until it is taken back', async () => {
    const { id: status } = await post(app, 'alice', 'tea');
    await act('bob', `statuses/${status}/favourite`);
    await reblog(app, 'carol', status);
    expect((await heard('alice')).sort()).toEqual(['favourite bob', 'reblog carol']);
    for (const { status: about } of await notificationsOf(app, 'alice')) expect(about?.id).toBe(status);
    await act('bob', `statuses/${status}/unfavourite`);
    expect(await heard('alice')).toEqual(['reblog carol']);
    await act('carol', `statuses/${status}/unreblog`);
    expect(await heard('alice')).toEqual([]);
    await act('bob', `statuses/${status}/favourite`);
    expect(await heard('alice')).toEqual(['favourite bob']);
  });

  it('who follows them, until that ends from either side', async () => {
    await app.world.follow('bob', 'alice');
    await app.world.follow('carol', 'alice');
    expect(await heard('alice')).toEqual(['follow carol', 'follow bob']);
    await follows().unfollow(id('bob'), id('alice'));
    expect(await heard('alice')).toEqual(['follow carol']);
    await follows().removeFollower(id('alice'), id('carol'));
    expect(await heard('alice')).toEqual([]);
  });

  it('who asks to follow them; the same row tells of the follow when they consent', async () => {
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    await app.world.follow('bob', 'alice');
    await app.world.follow('carol', 'alice');
    const [, request] = await notificationsOf(app, 'alice');
    expect(await heard('alice')).toEqual(['follow_request carol', 'follow_request bob']);
    await follows().accept(id('alice'), id('bob'));
    await follows().reject(id('alice'), id('carol'));
    const after = await notificationsOf(app, 'alice');
    expect(after).toMatchObject([{ id: request!.id, type: 'follow', created_at: request!.created_at }]);
  });

  it('tells a request that was accepted before the jobs ran as a follow', async () => {
    await app.sql('update accounts set locked = true where id = $1', [id('alice')]);
    await app.world.follow('bob', 'alice');
    await follows().accept(id('alice'), id('bob'));
    expect(await heard('alice')).toEqual(['follow bob']);
  });

  it('what somebody posts whom they subscribed to: no answers, no boosts, nothing that is not for them', async () => {
    await follows().follow(id('bob'), id('alice'), { notify: true });
    await app.world.follow('carol', 'alice');
    const open = await post(app, 'alice', 'for all');
    const quiet = await post(app, 'alice', 'for friends', { visibility: 'private' });
    const named = await post(app, 'alice', '@bob for you');
    await post(app, 'alice', '@carol a secret', { visibility: 'direct' });
    await post(app, 'alice', 'and another thing', { in_reply_to_id: open.id });
    await reblog(app, 'alice', (await post(app, 'carol', 'by carol')).id);
    await app.drain();
    const told = await notificationsOf(app, 'bob');
    expect(told.map(({ type, status }) => [type, status?.id])).toEqual([
      ['mention', named.id],
      ['status', quiet.id],
      ['status', open.id],
    ]);
    await follows().follow(id('bob'), id('alice'), { notify: false });
    await post(app, 'alice', 'unheard');
    expect(await notificationsOf(app, 'bob')).toHaveLength(3);
  });

  it('who quotes them; those who are named or subscribed hear of a post once', async () => {
    const hers = await post(app, 'alice', 'tea');
    await app.get(FollowsService).follow(id('alice'), id('carol'), { notify: true });
    const quote = await post(app, 'bob', 'look at this', { quote_id: hers.id });
    await post(app, 'bob', 'to followers', { quote_id: hers.id, visibility: 'private' });
    await post(app, 'bob', '@alice look', { quote_id: hers.id });
    await post(app, 'carol', 'I answer', { quote_id: hers.id, in_reply_to_id: (await post(app, 'carol', 'x')).id });
    await post(app, 'carol', 'look', { quote_id: hers.id });
    await post(app, 'alice', 'as I said', { quote_id: hers.id });
    await app.drain();
    const told = await notificationsOf(app, 'alice', { types: ['quote', 'mention', 'status'] });
    expect(told.map(({ type, account }) => `${type} ${account.acct}`).sort()).toEqual(
      ['mention bob', 'quote bob', 'quote carol', 'quote carol', 'status carol'].sort(),
    );
    expect(told.find(({ account, type }) => type === 'quote' && account.acct === 'bob')).toMatchObject({
      status: { id: quote.id, svc: { quote: { id: hers.id } } },
    });
    await (await app.world.as('bob')).delete(`/api/v1/statuses/${quote.id}`).expect(200);
    expect(await heard('alice', { types: ['quote'], account_id: id('bob') })).toEqual([]);
  });

  it('nothing of what they do themselves', async () => {
    const { id: status } = await post(app, 'alice', '@alice note to self');
    await act('alice', `statuses/${status}/favourite`);
    await reblog(app, 'alice', status);
    expect(await heard('alice')).toEqual([]);
  });

  it('nothing when they are addressed without being named, or live elsewhere', async () => {
    const remote = await app.world.remote('zoe', 'far.test');
    const [silent] = await makePosts(app, 'alice', 1);
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

describe('notifications go', () => {
  it('with the post they are about, at once', async () => {
    const { id: status } = await post(app, 'alice', '@bob @carol hello');
    await act('bob', `statuses/${status}/favourite`);
    await app.drain();
    expect(await rows()).toHaveLength(3);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${status}`).expect(200);
    expect(await rows()).toEqual([]);
    await app.drain();
    expect(await rows()).toEqual([]);
  });

  it('V10 when one blocks the other, on both sides; those of others stay', async () => {
    await app.world.follow('bob', 'alice');
    await app.world.follow('alice', 'bob');
    await post(app, 'carol', '@alice @bob hello');
    await post(app, 'bob', '@alice hello');
    await post(app, 'alice', '@bob hello');
    expect(await heard('alice')).toEqual(['mention bob', 'mention carol', 'follow bob']);
    expect(await heard('bob')).toEqual(['mention alice', 'mention carol', 'follow alice']);
    await app.get(BlocksService).block(id('alice'), id('bob'));
    await app.drain();
    expect((await rows()).length).toBe(2);
    expect(await heard('alice')).toEqual(['mention carol']);
    expect(await heard('bob')).toEqual(['mention carol']);
  });

  it('not when the block was lifted before the job ran', async () => {
    await post(app, 'bob', '@alice hello');
    await app.drain();
    await app.get(BlocksService).block(id('alice'), id('bob'));
    await app.get(BlocksService).unblock(id('alice'), id('bob'));
    expect(await heard('alice')).toEqual(['mention bob']);
  });

  it('not when what was taken back was done again before the job ran', async () => {
    const { id: status } = await post(app, 'alice', 'tea');
    const bob = await app.world.as('bob');
    await act('bob', `statuses/${status}/favourite`);
    await bob.put(`/api/v1/svc/statuses/${status}/reactions/${encodeURIComponent('🍵')}`).expect(200);
    await reblog(app, 'bob', status);
    await app.world.follow('bob', 'alice');
    await app.drain();
    const told = await rows();
    expect(told).toHaveLength(4);
    const boost = { statusId: 'gone', authorId: id('bob'), uri: '', local: true, visibility: 0, reblogOfId: status };
    for (const late of [
      new Unfavourited(byBob(status)),
      new Unreacted('🍵', byBob(status)),
      new StatusDeleted({ ...boost, addressedIds: [], tagIds: [], boosterIds: [], threadAuthorIds: [] }),
      new Unfollowed(id('bob'), id('alice'), 'follower', true, true, null, true),
    ]) {
      await emit(late);
    }
    await app.drain();
    expect(await rows()).toEqual(told);
  });

  it('D7 when an account has more than 5,000, or after a year, each night', async () => {
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
    await app.get(RetentionService).trim();
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

describe('D3 the same cause', () => {
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

  it('makes one row, however often its jobs run', async () => {
    const events = await causes();
    await app.drain();
    const once = await rows();
    expect(once).toHaveLength(6);
    for (const event of events) await emit(event);
    expect(await app.drain()).toBeGreaterThan(4);
    expect(await rows()).toEqual(once);
  });

  it('makes one row, however many workers run at the same time', async () => {
    const events = await causes();
    for (let round = 0; round < 4; round += 1) for (const event of events) await emit(event);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => app.drain()));
    expect(await rows()).toHaveLength(6);
  });

  it('done and undone at the same time leaves a notification if and only if it is done', async () => {
    const { id: hers } = await post(app, 'alice', 'tea');
    const people = ['bob', 'carol'];
    for (let round = 0; round < 8; round += 1) {
      const actions = people.flatMap((person) =>
        ['favourite', 'unfavourite', 'reblog', 'unreblog'].map(async (action) => {
          const { status } = await (await app.world.as(person)).post(`/api/v1/statuses/${hers}/${action}`);
          expect([200, 404]).toContain(status); // a boost may be gone before it is shown
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
