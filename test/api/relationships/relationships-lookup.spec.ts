import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);

describe('relationships', () => {
  it('are returned once per known account, in the requested order', async () => {
    await app.world.person('carol');
    await alice.post(`/api/v1/accounts/${id('carol')}/follow`).expect(200);
    await app.world.remote('zoe', 'b.example');
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'b.example')`, [id('alice')]);
    const query = {
      'id[]': [id('zoe@b.example'), '999999999999999999', id('carol'), id('bob'), id('carol'), id('alice')],
    };
    const body = (await alice.get('/api/v1/accounts/relationships', query).expect(200)).body as unknown;
    expect(body).toMatchObject([
      { id: id('zoe@b.example'), domain_blocking: true, following: false },
      { id: id('carol'), following: true },
      { id: id('bob'), following: false, domain_blocking: false },
      { id: id('alice'), following: false },
    ]);
  });

  it.each([
    ['alone', undefined, []],
    ['with with_suspended', true, ['bob']],
    ['with an unchecked with_suspended', false, []],
  ])('leave out deactivated accounts: %s', async (_, with_suspended, expected) => {
    const get = async () => {
      const query = { 'id[]': [id('bob')], ...(with_suspended === undefined ? {} : { with_suspended }) };
      const found = (await alice.get('/api/v1/accounts/relationships', query).expect(200)).body as { id: string }[];
      return found.map((found) => found.id);
    };
    expect(await get()).toEqual([id('bob')]); // fills the cache
    await app.sql('update accounts set deactivated_at = now(), version = version + 1 where id = $1', [id('bob')]);
    expect(await get()).toEqual(expected.map(id));
  });

  it('accept one id alone, and none', async () => {
    const get = async (query: Record<string, unknown>) =>
      (await alice.get('/api/v1/accounts/relationships', query).expect(200)).body as unknown;
    expect(await get({ id: id('bob') })).toMatchObject([{ id: id('bob') }]);
    expect(await get({ id: 'x' })).toEqual([]);
    expect(await get({})).toEqual([]);
  });

  it('cost one statement for 1 and for 20', async () => {
    const others: string[] = [];
    for (let n = 0; n < 20; n += 1) others.push((await app.world.remote(`r${n}`, 'b.example')).id);
    for (const ids of [others.slice(0, 1), others]) {
      const { statements, result } = await countQueries(() =>
        alice.get('/api/v1/accounts/relationships', { 'id[]': ids }).expect(200),
      );
      expect(result.body).toHaveLength(ids.length);
      expect(statements.filter((name) => /^(accounts|relationships)\./.test(name))).toEqual(['relationships.facts']);
    }
  });
});
