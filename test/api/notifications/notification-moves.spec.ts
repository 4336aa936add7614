import { AccountMoved, BlocksService, MovesService } from '../../../src/accounts/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { useApp } from '../../support/servers/app.js';
import { receivedBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });

beforeEach(async () => {
  await app.world.remote('alice', 'new.test');
  await app.world.follow('bob', 'alice');
  await app.drain();
});

const NEW = 'alice@new.test';
const id = (nickname: string) => app.world.id(nickname);
const agrees = () =>
  app.sql('update accounts set also_known_as = array[(select ap_id from accounts where id = $1)] where id = $2', [
    id('alice'),
    id(NEW),
  ]);
const move = async () => {
  await agrees();
  expect(await app.get(MovesService).move(id('alice'), id(NEW))).toBe(true);
  await app.drain();
};
const moves = (nickname: string, query: object = { with_move: true }) => notificationsOf(app, nickname, { ...query });
const rows = () => app.sql(`select receiver_id, from_id, target_id from notifications where type = 'move'`);

describe('a move', () => {
  it('notifies followers and names the new account', async () => {
    await move();
    const bob = await app.world.as('bob');
    const [notification, ...others] = await moves('bob');
    expect(others).toEqual([]);
    expect(notification).toMatchObject({ type: 'move', account: { acct: 'alice' }, target: { acct: NEW } });
    expect(notification).not.toHaveProperty('status');
    expect(notification!.target).toEqual(await ok<unknown>(bob.get(`/api/v1/accounts/${id(NEW)}`)));
    expect(await ok<unknown>(bob.get(`/api/v1/notifications/${notification!.id}`))).toEqual(notification);
    expect(await rows()).toEqual([{ receiver_id: id('bob'), from_id: id('alice'), target_id: id(NEW) }]);
  });

  it('is listed and counted like other notifications, and filtered by type or by with_move', async () => {
    await move();
    const types = async (query: object) => (await moves('bob', query)).map(({ type }) => type);
    await post(app, 'carol', '@bob hello');
    expect(await types({})).toEqual(['mention', 'move']);
    expect(await types({ with_move: '' })).toEqual(['mention', 'move']);
    expect(await types({ with_move: 'false' })).toEqual(['mention']);
    expect(await types({ exclude_types: ['move'] })).toEqual(['mention']);
    expect(await types({ with_move: 'true' })).toEqual(['mention', 'move']);
    expect(await types({ include_types: ['move'] })).toEqual(['move']);
    expect(await types({ include_types: ['move'], with_move: false })).toEqual(['move']);
    expect(await types({ types: ['move', 'mention'] })).toEqual(['mention', 'move']);
    expect(await types({ types: ['mention'], with_move: true })).toEqual(['mention', 'move']);
    expect(await types({ with_move: true, exclude_types: ['move'] })).toEqual(['mention']);
    expect(await types({ with_move: true, account_id: id('alice') })).toEqual(['move']);
    expect(await types({ with_move: true, exclude_visibilities: ['public'] })).toEqual(['move']);
    const self = await ok<object>((await app.world.as('bob')).get('/api/v1/accounts/verify_credentials'));
    expect(self).toMatchObject({ svc: { unread_notifications_count: 2 } });
  });

  it('happens only when the new account names the old one, and notifies once per new account', async () => {
    expect(await app.get(MovesService).move(id('alice'), id(NEW))).toBe(false);
    await app.drain();
    expect(await rows()).toEqual([]);
    expect(await app.get(MovesService).move(id('alice'), id('alice'))).toBe(false);
    await agrees();
    for (const gone of ['alice', NEW]) {
      await app.sql('update accounts set deactivated_at = now() where id = $1', [id(gone)]);
      expect(await app.get(MovesService).move(id('alice'), id(NEW))).toBe(false);
      await app.sql('update accounts set deactivated_at = null where id = $1', [id(gone)]);
    }
    await move();
    expect(await app.get(MovesService).move(id('alice'), id(NEW))).toBe(false);
    await app.get(UnitOfWork).run(() => {
      app.get(Events).emit(new AccountMoved(id('alice'), id(NEW), true));
      app.get(Events).emit(new AccountMoved(id('alice'), id('carol'), true)); // carol does not name alice
      return Promise.resolve();
    });
    await app.drain();
    expect(await rows()).toHaveLength(1);
  });

  it('notifies no remote followers and no accounts with a pending follow request', async () => {
    await app.world.remote('zoe', 'far.test');
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $3, 0), ($2, $3, 1)', [
      id('carol'),
      id('zoe@far.test'),
      id('alice'),
    ]);
    await move();
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ['blocks the new account', () => app.get(BlocksService).block(id('bob'), id(NEW))],
    ['is blocked by the new account', () => app.get(BlocksService).block(id(NEW), id('bob'))],
    [
      'blocks the domain of the new account',
      () => app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'new.test')`, [id('bob')]),
    ],
  ])('does not notify a follower that %s, and hides the notification when that happens later', async (_, block) => {
    await block();
    await move();
    expect(await rows()).toEqual([]);
    await app.sql('delete from blocks');
    await app.sql('delete from domain_blocks');
    await app.sql('update accounts set moved_to_id = null, moved_at = null');
    await move();
    expect(await moves('bob')).toHaveLength(1);
    await block();
    expect(await moves('bob')).toEqual([]);
  });

  it('notifies followers of the new account even if they block its domain', async () => {
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'new.test')`, [id('bob')]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [id('bob'), id(NEW)]);
    await move();
    expect(await moves('bob')).toHaveLength(1);
  });

  it('loses its notification when that is dismissed or the new account is deleted', async () => {
    await move();
    const bob = await app.world.as('bob');
    const [notification] = await moves('bob');
    await bob.delete('/api/v1/notifications/destroy_multiple', { ids: [notification!.id] }).expect(200, {});
    expect(await rows()).toEqual([]);
    await app.sql('update accounts set moved_to_id = null, moved_at = null');
    await move();
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id(NEW)]);
    expect(await moves('bob')).toEqual([]);
    await app.sql('delete from accounts where id = $1', [id(NEW)]);
    expect(await rows()).toEqual([]);
  });

  it('notifies muting followers with a hidden, read notification', async () => {
    await app.get(BlocksService).mute(id('bob'), id('alice'), {});
    await move();
    expect(await moves('bob')).toEqual([]);
    expect(await receivedBy(app, 'bob', { with_move: true, with_muted: true })).toEqual(['move alice']);
    expect(await app.sql(`select seen from notifications where type = 'move'`)).toEqual([{ seen: true }]);
  });
});
