import { UsersService } from '../../../src/accounts/index.js';
import { ImportsService } from '../../../src/portability/imports/imports.service.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { filesOf } from '../../support/fixtures/uploads.js';

const FOLLOWS = '/api/svc/follow_import';
const BLOCKS = '/api/svc/blocks_import';
const MUTES = '/api/svc/mutes_import';

describe('imports', () => {
  const app = useApp({ people: ['alice', 'bob', 'carol', 'dave'] });

  const send = async (path: string, list: unknown) => (await app.world.as('alice')).post(path, { list });
  const sendFile = async (path: string, content: string | Buffer) =>
    app.http
      .post(path)
      .set('authorization', `Bearer ${(await app.world.as('alice')).token}`)
      .attach('list', Buffer.from(content), 'list.csv');
  const take = async (path: string, list: string) => {
    const answer = await send(path, list);
    expect({ status: answer.status, body: answer.body as unknown }).toEqual({ status: 200, body: 'job started' });
    await app.drain();
  };
  const waiting = () => app.sql<{ address: string; attempts: number }>('select address, attempts from import_entries');
  const followed = async () =>
    (
      await app.sql<{ nickname: string }>(
        `select nickname from follows join accounts on accounts.id = followee_id where follower_id = $1 order by 1`,
        [app.world.id('alice')],
      )
    ).map(({ nickname }) => nickname);

  it.each(['/api/svc/follow_import', '/api/v1/svc/follow_import'])('%s follows a list of accounts', async (path) => {
    const answer = await send(path, 'bob @carol@svc.test\nacct:dave@svc.test');
    expect(answer.status).toBe(200);
    expect(answer.type).toBe('application/json');
    expect(answer.body).toBe('job started');
    expect(await followed()).toEqual([]);
    await app.drain();
    expect(await followed()).toEqual(['bob', 'carol', 'dave']);
    expect(await waiting()).toEqual([]);
    expect((await app.world.account('alice'))?.followingCount).toBe(3);
  });

  it('keep the order of a long list', async () => {
    const names = Array.from({ length: 2_500 }, (_, at) => `p${at}@far.test`);
    expect((await send(FOLLOWS, names.join('\n'))).status).toBe(200);
    const stored = await app.sql<{ address: string }>('select address from import_entries order by id');
    expect(stored.map(({ address }) => address)).toEqual(names);
  });

  it('are added whole while fewer than 30,000 entries wait', async () => {
    await app.sql(
      `insert into import_entries (account_id, action, address) select $1, 'mute', n || '@far.test' from generate_series(1, 29999) n`,
      [app.world.id('alice')],
    );
    const names = Array.from({ length: 1_500 }, (_, at) => `p${at}@far.test`).join(' ');
    expect((await send(FOLLOWS, names)).status).toBe(200);
    expect(await waiting()).toHaveLength(31_499);
  });

  it('count each account once, and no invalid words', async () => {
    expect((await send(FOLLOWS, 'bob Bob a/b '.repeat(10_001))).status).toBe(200);
    expect(await waiting()).toHaveLength(1);
  });

  it('leave out an address that is too long to be stored', async () => {
    const long = Array.from({ length: 1_900 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(
      '',
    );
    expect((await send(FOLLOWS, `bob https://far.test/${long} carol`)).status).toBe(200);
    expect((await waiting()).map(({ address }) => address).sort()).toEqual(['bob', 'carol']);
  });

  it('treat names that the database folds together as one account', async () => {
    const answer = await send(FOLLOWS, 'İsa@mail.test isa@mail.test ΟΔΟΣ@mail.test οδοσ@mail.test bob');
    expect([answer.status, answer.body]).toEqual([200, 'job started']);
    expect((await waiting()).map(({ address }) => address).sort()).toEqual(['bob', 'isa@mail.test', 'οδοσ@mail.test']);
  });

  it('follow the later list, also when it arrives during the first one', async () => {
    await send(FOLLOWS, 'bob carol');
    await holding(app, async (holder) => {
      await holder.query(`select from import_entries where address = 'bob' for update`);
      const worked = app.drain();
      await waitersOf(holder, 1);
      const csv = 'Account address,Show boosts,Notify on new posts\ncarol@svc.test,false,true\n';
      expect((await sendFile(FOLLOWS, csv)).status).toBe(200);
      await holder.query('commit');
      await worked;
    });
    await app.drain();
    expect(
      await app.sql('select reblogs, notify from follows where followee_id = $1', [app.world.id('carol')]),
    ).toEqual([{ reblogs: false, notify: true }]);
  });

  it('accept a file, with the options of an export', async () => {
    const csv =
      'Account address,Show boosts,Notify on new posts,Languages\nbob@svc.test,false,true,"de, pt-BR"\ncarol@svc.test,,,\n';
    const answer = await sendFile(FOLLOWS, csv);
    expect([answer.status, answer.body]).toEqual([200, 'job started']);
    await app.drain();
    const rows = await app.sql(
      'select nickname, reblogs, notify, languages from follows join accounts on accounts.id = followee_id order by 1',
    );
    expect(rows).toEqual([
      { nickname: 'bob', reblogs: false, notify: true, languages: ['de', 'pt-BR'] },
      { nickname: 'carol', reblogs: true, notify: false, languages: null },
    ]);
    expect((await filesOf(app)).temporary).toEqual([]);
  });

  it('block and mute all accounts of a list', async () => {
    await app.world.follow('bob', 'alice');
    await take(BLOCKS, 'bob,carol');
    await take(MUTES, 'Account address,Hide notifications\ndave,false\ncarol,true');
    const relations = await (
      await app.world.as('alice')
    ).get('/api/v1/accounts/relationships', {
      'id[]': ['bob', 'carol', 'dave'].map((name) => app.world.id(name)),
    });
    expect(relations.body).toMatchObject([
      { blocking: true, muting: false, followed_by: false },
      { blocking: true, muting: true, muting_notifications: true },
      { blocking: false, muting: true, muting_notifications: false },
    ]);
  });

  it('skip accounts that cannot be followed, and send requests to locked ones', async () => {
    await app.world.person('erin', { locked: true });
    await app.world.remote('frank', 'far.test');
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [
      app.world.id('bob'),
      app.world.id('alice'),
    ]);
    await app.get(UsersService).setActive(app.world.id('carol'), false);
    await take(FOLLOWS, 'alice bob carol nobody @@x a/b dave erin frank@far.test');
    const rows = await app.sql(
      'select nickname, state from follows join accounts on accounts.id = followee_id order by 1',
    );
    expect(rows).toEqual([
      { nickname: 'dave', state: 1 },
      { nickname: 'erin', state: 0 },
      { nickname: 'frank', state: 0 },
    ]);
    expect(await waiting()).toEqual([]);
  });

  it('retry unreachable remote accounts for a while', async () => {
    await take(FOLLOWS, 'grace@far.test bob');
    expect(await followed()).toEqual(['bob']);
    expect(await waiting()).toEqual([{ address: 'grace@far.test', attempts: 1 }]);
    await app.world.remote('grace', 'far.test');
    await app.sql('update import_entries set next_at = now()');
    await app.get(ImportsService).resume();
    await app.drain();
    expect(await followed()).toEqual(['bob', 'grace']);
    expect(await waiting()).toEqual([]);
  });

  it('do not wait for a time that only a clock that was ahead could set', async () => {
    await take(FOLLOWS, 'grace@far.test heidi@far.test');
    for (const name of ['grace', 'heidi']) await app.world.remote(name, 'far.test');
    await app.sql(
      `update import_entries set next_at = now() + case address when 'grace@far.test' then interval '25 hours' else interval '23 hours' end`,
    );
    await app.get(ImportsService).resume();
    await app.drain();
    expect(await followed()).toEqual(['grace']);
    expect(await waiting()).toEqual([{ address: 'heidi@far.test', attempts: 1 }]);
  });

  it('find accounts by address', async () => {
    await app.world.remote('frank', 'far.test');
    await take(FOLLOWS, 'https://far.test/users/frank https://svc.test/users/bob https://far.test/users/nobody');
    expect(await followed()).toEqual(['bob', 'frank']);
    expect(await waiting()).toEqual([{ address: 'https://far.test/users/nobody', attempts: 1 }]);
  });

  it('give up on remote accounts that are never found', async () => {
    await take(FOLLOWS, 'grace@far.test');
    for (let round = 0; round < 5; round += 1) {
      await app.sql('update import_entries set next_at = now()');
      await app.get(ImportsService).workOff({ accountId: app.world.id('alice') });
    }
    expect(await waiting()).toEqual([]);
  });

  it('keep the time of a retry when another list arrives', async () => {
    await take(FOLLOWS, 'grace@far.test');
    await take(FOLLOWS, 'bob');
    expect(await followed()).toEqual(['bob']);
    expect(await waiting()).toEqual([{ address: 'grace@far.test', attempts: 1 }]);
  });

  it('process the same list twice without double effects', async () => {
    await Promise.all([send(FOLLOWS, 'bob carol'), send(FOLLOWS, 'carol BOB')]);
    expect(await waiting()).toHaveLength(2);
    await app.drain();
    await take(FOLLOWS, 'bob carol');
    expect(await followed()).toEqual(['bob', 'carol']);
    expect((await app.world.account('bob'))?.followersCount).toBe(1);
  });

  it('process long lists in batches, and nothing twice with two workers', async () => {
    await app.sql(
      `with new as (
         insert into accounts (id, nickname, ap_id)
         select 'many' || lpad(n::text, 14, '0'), 'many' || n, 'https://svc.test/users/many' || n from generate_series(1, 50) n
         returning id)
       insert into account_stats (account_id) select id from new`,
    );
    const list = Array.from({ length: 50 }, (_, at) => `many${at + 1}`).join('\n');
    expect((await send(FOLLOWS, list)).status).toBe(200);
    const alice = app.world.id('alice');
    await Promise.all([
      app.get(ImportsService).workOff({ accountId: alice }),
      app.get(ImportsService).workOff({ accountId: alice }),
    ]);
    expect((await waiting()).length).toBeLessThanOrEqual(30);
    await app.drain();
    expect(await waiting()).toEqual([]);
    expect((await app.world.account('alice'))?.followingCount).toBe(50);
  });

  it('J7 continue with the other accounts when one fails', async () => {
    await app.sql(
      `create function refuse_carol() returns trigger language plpgsql as $$
       begin if new.followee_id = '${app.world.id('carol')}' then raise exception 'no'; end if; return new; end $$`,
    );
    await app.sql('create trigger refuse_carol before insert on follows for each row execute function refuse_carol()');
    try {
      await take(FOLLOWS, 'bob carol dave');
      expect(await followed()).toEqual(['bob', 'dave']);
      expect(await waiting()).toEqual([{ address: 'carol', attempts: 1 }]);
    } finally {
      await app.sql('drop function refuse_carol() cascade');
    }
  });

  it('drop the lists of deactivated accounts', async () => {
    await send(FOLLOWS, 'bob');
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    await app.drain();
    expect(await followed()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  describe('refuse', () => {
    it.each([
      ['no list', undefined, 400],
      ['an empty list', '', 400],
      ['a list of blanks', ' \n ', 400],
      ['a list that names nobody', '§§§ a/b', 400],
      ['an object', { a: 'bob' }, 400],
      ['an array', ['bob'], 400],
      ['a number', 5, 400],
      ['too many accounts', Array.from({ length: 10_001 }, (_, at) => `p${at}`).join(' '), 422],
    ])('%s', async (_case, list, status) => {
      const answer = await send(FOLLOWS, list);
      expect({ status: answer.status, error: typeof (answer.body as { error?: unknown }).error }).toEqual({
        status,
        error: 'string',
      });
      expect(await waiting()).toEqual([]);
    });

    it.each([
      ['that is no UTF-8', Buffer.from([0x62, 0xff, 0x62]), 400],
      ['with a NUL in it', 'bob\0', 400],
      ['that names nobody', '\n', 400],
      ['over 1 MiB', 'x'.repeat(1_100_000), 413],
    ])('a file %s', async (_case, content, status) => {
      expect((await sendFile(FOLLOWS, content)).status).toBe(status);
      expect(await waiting()).toEqual([]);
      expect((await filesOf(app)).temporary).toEqual([]);
    });

    it('a list while too many accounts wait', async () => {
      await app.sql(
        `insert into import_entries (account_id, action, address) select $1, 'mute', 'w' || n from generate_series(1, 30000) n`,
        [app.world.id('alice')],
      );
      const answer = await send(FOLLOWS, 'bob');
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '600']);
      const bob = await app.world.as('bob');
      expect((await bob.post(FOLLOWS, { list: 'carol' })).status).toBe(200);
    });
  });
});
