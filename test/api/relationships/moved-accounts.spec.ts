import {
  AccountDeletionService,
  AccountMoved,
  BlocksService,
  FollowsService,
  MovesService,
  UsersService,
} from '../../../src/accounts/index.js';
import { NotFound } from '../../../src/common/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp({ people: ['old', 'new', 'third', 'ann'] });

beforeEach(async () => {
  for (const name of ['old', 'new', 'third', 'ann']) await app.world.remote(name, 'far.test');
});

const id = (nickname: string) => app.world.id(nickname);
const blocks = () => app.get(BlocksService);

async function move(from: string, to: string, meanwhile?: () => Promise<unknown>): Promise<boolean> {
  await app.sql(
    'update accounts set also_known_as = also_known_as || (select ap_id from accounts where id = $1) where id = $2',
    [id(from), id(to)],
  );
  const isMoved = await app.get(MovesService).move(id(from), id(to));
  await meanwhile?.();
  await app.drain();
  return isMoved;
}

/** The blocks and mutes of ann, by the names of their targets. */
const relations = (owner = 'ann') =>
  app.sql(
    `select a.nickname as target, r.kind, r.notifications, r.expires_at from (
       select 'block' as kind, account_id, target_id, null::boolean as notifications, expires_at from blocks
       union all select 'mute', account_id, target_id, notifications, expires_at from mutes) r
     join accounts a on a.id = r.target_id where r.account_id = $1 order by a.nickname desc, kind`,
    [id(owner)],
  );

const sides = [
  ['old', 'new'],
  ['old', 'new@far.test'],
  ['old@far.test', 'new@far.test'],
  ['old@far.test', 'new'],
] as const;
const HOUR = { expiresIn: 3600 };
const decisions = {
  'a block': () => ({ block: {} }),
  'a block for an hour': () => ({ block: HOUR }),
  'a mute': () => ({ mute: {} }),
  'a mute of posts for an hour': () => ({ mute: { ...HOUR, notifications: false } }),
  'a block and a mute': () => ({ block: HOUR, mute: {} }),
};
const cases = sides.flatMap(([from, to]) => Object.keys(decisions).map((what) => ({ from, to, what })));

async function decide(what: string, target: string): Promise<void> {
  const { block, mute } = decisions[what as keyof typeof decisions]() as { block?: object; mute?: object };
  if (block) await blocks().block(id('ann'), id(target), block);
  if (mute) await blocks().mute(id('ann'), id(target), mute);
}

describe('F28 the new account of a moved account', () => {
  it.each(cases)('takes over $what from $from to $to', async ({ from, to, what }) => {
    await decide(what, from);
    const before = (await relations()) as { target: string }[];
    expect(await move(from, to)).toBe(true);
    expect(await relations()).toEqual([...before, ...before.map((row) => ({ ...row, target: 'new' }))]);
  });

  it('loses its follows to and from an account that blocked the old one', async () => {
    await app.world.follow('ann', 'new');
    await app.world.follow('new', 'ann');
    await blocks().block(id('ann'), id('old'));
    await move('old', 'new');
    expect(await app.sql('select from follows')).toEqual([]);
  });

  it('is muted for a follower that muted the old account', async () => {
    await app.world.follow('ann', 'old');
    await blocks().mute(id('ann'), id('old'));
    await move('old', 'new');
    expect(await app.sql('select followee_id from follows')).toEqual([{ followee_id: id('new') }]);
    expect(await relations()).toMatchObject([{ target: 'old' }, { target: 'new', kind: 'mute' }]);
  });

  it('keeps the blocks that it already has, and gets no expired mute', async () => {
    await blocks().block(id('ann'), id('old'), HOUR);
    await blocks().block(id('ann'), id('new'));
    await blocks().mute(id('ann'), id('old'));
    await app.sql(`update mutes set expires_at = now() - interval '1 second'`);
    await move('old', 'new');
    expect(await relations()).toMatchObject([
      { target: 'old', kind: 'block', expires_at: expect.any(String) },
      { target: 'old', kind: 'mute' },
      { target: 'new', kind: 'block', expires_at: null },
    ]);
  });

  it('gets the block of the old account in place of an expired one', async () => {
    await blocks().block(id('ann'), id('new'), HOUR);
    await app.sql(`update blocks set expires_at = now() - interval '1 second'`);
    await blocks().block(id('ann'), id('old'));
    await move('old', 'new');
    expect(await relations()).toMatchObject([{ target: 'old' }, { target: 'new', expires_at: null }]);
  });

  it('gets no blocks by remote accounts, and none by itself', async () => {
    await blocks().block(id('ann@far.test'), id('old'));
    await blocks().block(id('new'), id('old'));
    await move('old', 'new');
    expect(await relations('ann@far.test')).toHaveLength(1);
    expect(await relations('new')).toHaveLength(1);
  });

  it('is blocked once when the job runs twice', async () => {
    await decide('a block and a mute', 'old');
    await move('old', 'new');
    const once = await relations();
    await app.get(UnitOfWork).run(() => {
      app.get(Events).emit(new AccountMoved(id('old'), id('new'), true));
      return Promise.resolve();
    });
    await app.drain();
    expect(await relations()).toEqual(once);
  });
});

describe.each(['old', 'old@far.test'])('F28 a second move of %s', (from) => {
  const age = (time: string) =>
    app.sql(`update accounts set moved_at = now() - interval '${time}' where id = $1`, [id(from)]);
  const movedTo = async () =>
    (await app.sql<{ moved_to_id: string }>('select moved_to_id from accounts where id = $1', [id(from)]))[0]!
      .moved_to_id;

  it.each([
    ['at once', '0 days', false],
    ['within a week', '6 days 23 hours', false],
    ['after a week', '7 days', true],
  ])('%s (%s) is accepted: %s', async (_, time, isObeyed) => {
    expect(await move(from, 'new')).toBe(true);
    await age(time);
    expect(await move(from, 'third@far.test')).toBe(isObeyed);
    expect(await movedTo()).toBe(id(isObeyed ? 'third@far.test' : 'new'));
  });

  it('must wait a week after the last accepted move', async () => {
    await move(from, 'new');
    await age('6 days');
    await move(from, 'third');
    await age('8 days');
    expect(await move(from, 'third')).toBe(true);
    expect(await move(from, 'new')).toBe(false);
  });

  it('is accepted for an account whose first move has no stored time', async () => {
    await move(from, 'new');
    await app.sql('update accounts set moved_at = null');
    expect(await move(from, 'third')).toBe(true);
  });
});

describe.each(sides)('a follower of %s', (from, to) => {
  let ann: Client;
  beforeEach(async () => {
    ann = await app.world.as('ann');
    await app.world.follow('ann', from);
    await app.sql('update follows set state = 1');
  });
  const options = (target: string) =>
    app.sql('select reblogs, notify from follows where follower_id = $1 and followee_id = $2', [id('ann'), id(target)]);
  const noteOn = async (target: string) =>
    (await ok<{ note: string }[]>(ann.get('/api/v1/accounts/relationships', { 'id[]': id(target) })))[0]!.note;

  it.each([
    [{ reblogs: false, notify: true }],
    [{ reblogs: true, notify: true }],
    [{ reblogs: false, notify: false }],
    [{ reblogs: true, notify: false }],
  ])('follows the new account with the same options: %j', async (chosen) => {
    await ann.post(`/api/v1/accounts/${id(from)}/follow`, chosen).expect(200);
    await move(from, to);
    expect(await options(to)).toEqual([chosen]);
  });

  it('keeps the options of a follow of the new account', async () => {
    await ann.post(`/api/v1/accounts/${id(from)}/follow`, { reblogs: false, notify: true }).expect(200);
    await app.world.follow('ann', to);
    await move(from, to);
    expect(await options(to)).toEqual([{ reblogs: true, notify: false }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is deactivated', () => app.get(UsersService).setActive(id(to), false)],
    [
      'is deleted',
      () => {
        const deletion = app.get(AccountDeletionService);
        return to === 'new' ? deletion.delete(id(to)) : deletion.deleteRemote(id(to), { byStaff: true });
      },
    ],
    ['is the new one no more', () => app.sql('update accounts set moved_to_id = null where id = $1', [id(from)])],
  ])('keeps its follow when the new account %s before the followers are moved', async (_what, meanwhile) => {
    await move(from, to, meanwhile);
    expect(await app.sql('select followee_id, state from follows')).toEqual([{ followee_id: id(from), state: 1 }]);
  });

  it('has the new account on the lists of the old account', async () => {
    const list = await ok<{ id: string }>(ann.post('/api/v1/lists', { title: 'tea' }));
    await ann.post('/api/v1/lists', { title: 'fog' }).expect(200);
    await ann.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id(from)] }).expect(200);
    await move(from, to);
    expect(await app.sql('select list_id, account_id from list_members')).toEqual([
      { list_id: list.id, account_id: id(to) },
    ]);
  });

  it('finds the private note on the new account too, unless that account has its own', async () => {
    await ann.post(`/api/v1/accounts/${id(from)}/note`, { comment: 'met at tea' }).expect(200);
    const third = await app.world.as('third');
    await third.post(`/api/v1/accounts/${id(from)}/note`, { comment: 'old' }).expect(200);
    await third.post(`/api/v1/accounts/${id(to)}/note`, { comment: 'new' }).expect(200);
    await move(from, to);
    expect(await noteOn(to)).toBe('met at tea');
    expect(
      await app.sql('select comment from account_notes where account_id = $1 order by comment', [id('third')]),
    ).toEqual([{ comment: 'new' }, { comment: 'old' }]);
  });
});

it.each(['new', 'new@far.test'])('a deleted account is followed by nobody: %s', async (name) => {
  const deletion = app.get(AccountDeletionService);
  await (name === 'new' ? deletion.delete(id(name)) : deletion.deleteRemote(id(name), { byStaff: true }));
  await expect(app.get(FollowsService).follow(id('ann'), id(name))).rejects.toBeInstanceOf(NotFound);
});
