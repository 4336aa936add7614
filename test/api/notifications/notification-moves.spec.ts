import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountMoved, BlocksService, MovesService } from '../../../src/accounts/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { heardBy, notificationsOf } from '../../support/fixtures/notifications.js';
import { ok, post } from '../../support/fixtures/statuses.js';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.reset();
  await app.world.persons('alice', 'bob', 'carol');
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
const moves = (person: string, query: object = { with_move: true }) => notificationsOf(app, person, { ...query });
const rows = () => app.sql(`select receiver_id, from_id, target_id from notifications where type = 'move'`);

describe('a move', () => {
  it('is told to followers, with the account that it leads to', async () => {
    await move();
    const bob = await app.world.as('bob');
    const [told, ...others] = await moves('bob');
    expect(others).toEqual([]);
    expect(told).toMatchObject({ type: 'move', account: { acct: 'alice' }, target: { acct: NEW } });
    expect(told).not.toHaveProperty('status');
    expect(told!.target).toEqual(await ok<unknown>(bob.get(`/api/v1/accounts/${id(NEW)}`)));
    expect(await ok<unknown>(bob.get(`/api/v1/notifications/${told!.id}`))).toEqual(told);
    expect(await rows()).toEqual([{ receiver_id: id('bob'), from_id: id('alice'), target_id: id(NEW) }]);
  });

  it('is listed and counted as all else is, and left out by its type or by the older switch', async () => {
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

  it('counts only when the other account names this one, once for each that it leads to', async () => {
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
      app.get(Events).emit(new AccountMoved(id('alice'), id('carol'), true)); // which was not to be
      return Promise.resolve();
    });
    await app.drain();
    expect(await rows()).toHaveLength(1);
  });

  it('is not told to those who only asked to follow, and to nobody elsewhere', async () => {
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
  ])('is told to nobody who %s, and not shown to whoever does so later', async (_, block) => {
    await block();
    await move();
    expect(await rows()).toEqual([]);
    await app.sql('delete from blocks');
    await app.sql('delete from domain_blocks');
    await app.sql('update accounts set moved_to_id = null');
    await move();
    expect(await moves('bob')).toHaveLength(1);
    await block();
    expect(await moves('bob')).toEqual([]);
  });

  it('is told to those who follow the new account, though they block its domain', async () => {
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'new.test')`, [id('bob')]);
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [id('bob'), id(NEW)]);
    await move();
    expect(await moves('bob')).toHaveLength(1);
  });

  it('can be dismissed, and goes with the account that it leads to', async () => {
    await move();
    const bob = await app.world.as('bob');
    const [told] = await moves('bob');
    await bob.delete('/api/v1/notifications/destroy_multiple', { ids: [told!.id] }).expect(200, {});
    expect(await rows()).toEqual([]);
    await app.sql('update accounts set moved_to_id = null');
    await move();
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id(NEW)]);
    expect(await moves('bob')).toEqual([]);
    await app.sql('delete from accounts where id = $1', [id(NEW)]);
    expect(await rows()).toEqual([]);
  });

  it('is heard as read by those who mute', async () => {
    await app.get(BlocksService).mute(id('bob'), id('alice'), {});
    await move();
    expect(await moves('bob')).toEqual([]);
    expect(await heardBy(app, 'bob', { with_move: true, with_muted: true })).toEqual(['move alice']);
    expect(await app.sql(`select seen from notifications where type = 'move'`)).toEqual([{ seen: true }]);
  });
});
