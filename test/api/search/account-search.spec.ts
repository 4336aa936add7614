import {
  type AccountJson,
  AccountShape,
  ProfileService,
  RelationshipShape,
  RemoteAccounts,
} from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp();
let alice: Client;

beforeEach(async () => {
  for (const name of ['alice', 'bob', 'bobby', 'carol']) await app.world.person(name);
  await app.world.remote('bob', 'b.example');
  await app.world.remote('zoe', 'b.example');
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);
const rename = (name: string, displayName: string) => app.get(ProfileService).update(id(name), { displayName });

async function search(q: string, query = {}, client: Client = app.world.anonymous): Promise<AccountJson[]> {
  const body = (await client.get('/api/v1/accounts/search', { q, ...query }).expect(200)).body as unknown;
  for (const account of body as unknown[]) expect(checkShape(AccountShape, account)).toEqual([]);
  return body as AccountJson[];
}
const names = async (...asked: Parameters<typeof search>) => (await search(...asked)).map(({ acct }) => acct);

describe('a search for accounts', () => {
  it.each(['bob', '@bob', 'BOB', ' bob '])(
    'finds the exact handle first, then handles that start with it: %s',
    async (q) => {
      expect(await names(q)).toEqual(['bob', 'bob@b.example', 'bobby']);
    },
  );

  it.each(['bob@b.example', '@bob@B.EXAMPLE', '!bob@b.example', 'acct:bob@b.example', 'https://b.example/users/bob'])(
    'finds a known remote account by its handle or address: %s',
    async (q) => {
      expect(await names(q)).toEqual(['bob@b.example']);
    },
  );

  it.each(['/@bob', '/@BOB/', '/@bob@svc.test', '/users/bob'])(
    'finds a local account by the address of its page: %s',
    async (path) => {
      const answer = await app.world.anonymous.get('/api/v2/search', { q: `https://SVC.test${path}` }).expect(200);
      expect((answer.body as { accounts: AccountJson[] }).accounts.map(({ acct }) => acct)).toEqual(['bob']);
      expect(await names(`https://elsewhere.example${path}`)).toEqual([]);
      expect(await names(`https://svc.test${path}/followers`)).toEqual([]);
    },
  );

  it('finds accounts by incomplete handles', async () => {
    expect(await names('@bob@b')).toEqual(['bob@b.example']);
    expect(await names('bob@')).toEqual(['bob@b.example']);
    expect(await names('bo@b')).toEqual([]);
    expect(await names('b')).toEqual(['bob@b.example', 'bobby', 'bob']);
  });

  it('finds accounts by the beginnings of words in display names, in any case', async () => {
    await rename('carol', 'Dr. Ëva Łukasz 100%');
    for (const q of ['dr', 'Ëva', 'ŁUK', 'ëva łu', '100%']) expect(await names(q)).toEqual(['carol']);
    for (const q of ['va', 'r', '%', '_arol', 'c%l', '\\']) expect(await names(q)).toEqual([]);
  });

  it.each([
    ['ΟΔΥΣΣΕΑΣ', 'ΟΔΥΣΣΕΑΣ'],
    ['Ελένη ΟΔΥΣΣΕΑΣ', 'οδυσσεασ'],
    ['Οδυσσεας', 'ΟΔΥΣΣΕΑΣ'],
    ['İlker', 'İlker'],
    ['İlker', 'ilk'],
    ['ẞtraße', 'ßtraße'],
  ])('finds %s by %s despite ambiguous lower case', async (displayName, q) => {
    await rename('carol', displayName);
    expect(await names(q)).toEqual(['carol']);
  });

  it('excludes deactivated and unapproved accounts', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    await app.sql('update users set is_approved = false where account_id = $1', [id('bobby')]);
    expect(await names('bob')).toEqual(['bob@b.example']);
    expect(await names('bobby')).toEqual([]);
  });

  it('V10 excludes blocked and blocking accounts unless the handle is exact, and blocked servers', async () => {
    await app.sql('insert into blocks (account_id, target_id) values ($1, $2), ($3, $1)', [
      id('alice'),
      id('bob'),
      id('bobby'),
    ]);
    expect(await names('bo', {}, alice)).toEqual(['bob@b.example']);
    expect(await names('bobby', {}, alice)).toEqual(['bobby']);
    await alice.post('/api/v1/domain_blocks', { domain: 'b.example' }).expect(200);
    expect(await names('bo', {}, alice)).toEqual([]);
    expect(await names('bo')).toHaveLength(3);
    await app.sql(`update blocks set expires_at = now() - interval '1 second'`);
    expect(await names('bo', {}, alice)).toEqual(['bobby', 'bob']);
  });

  /** Every way in, with what finds bob there: his whole handle or its beginning. */
  it.each([
    ['accounts/search', '/api/v1/accounts/search?q=bob'],
    ['a completed mention', '/api/v1/accounts/search?q=bo&resolve=false&limit=4'],
    ['a completed mention with @', '/api/v1/accounts/search?q=@bob&resolve=true'],
    ['his address', '/api/v1/accounts/search?q=https://svc.test/users/bob'],
    ['v1/search', '/api/v1/search?q=bob'],
    ['v2/search', '/api/v2/search?q=bo'],
    ['v2/search for accounts', '/api/v2/search?type=accounts&resolve=true&q=bob'],
    ['v2/search by address', '/api/v2/search?q=https://svc.test/@bob'],
  ])('V10 finds neither blocked nor invisible accounts by %s', async (_, path) => {
    const finds = async (client: Client) => {
      const body = (await client.get(path).expect(200)).body as AccountJson[] | { accounts: AccountJson[] };
      return (Array.isArray(body) ? body : body.accounts).some(({ acct }) => acct === 'bob');
    };
    const carol = await app.world.as('carol');
    const seen = async () => [await finds(alice), await finds(carol)];
    expect(await seen()).toEqual([true, true]);
    await alice.post(`/api/v1/accounts/${id('bob')}/block`).expect(200);
    expect(await seen()).toEqual([false, true]);
    await alice.post(`/api/v1/accounts/${id('bob')}/unblock`).expect(200);
    expect(await seen()).toEqual([true, true]);
    await app.sql('update accounts set invisible = true where id = $1', [id('bob')]);
    expect(await seen()).toEqual([false, false]);
  });

  it('lists followed accounts first, and only those when requested', async () => {
    await app.world.follow('alice', 'carol');
    await rename('carol', 'Bo');
    expect(await names('bo', {}, alice)).toEqual(['carol', 'bob@b.example', 'bobby', 'bob']);
    expect(await names('bo', { following: true }, alice)).toEqual(['carol']);
    expect(await names('bob', { following: 'true' }, alice)).toEqual([]);
    expect(await names('bo', { following: true })).toEqual([]);
    await app.world.follow('alice', 'bob@b.example'); // the request is pending
    expect(await names('bob', { following: true }, alice)).toEqual([]);
  });

  it('is paged by an offset, with the exact match first', async () => {
    const pages = [0, 1, 2, 3].map((offset) => names('bob', { limit: 1, offset }));
    expect(await Promise.all(pages)).toEqual([['bob'], ['bob@b.example'], ['bobby'], []]);
    expect(await names('bob', { limit: 2, offset: 1 })).toEqual(['bob@b.example', 'bobby']);
  });

  it('includes relationships when requested', async () => {
    expect((await search('carol', {}, alice))[0]!.svc.relationship).toEqual({});
    const [carol] = await search('carol', { with_relationships: true }, alice);
    expect(checkShape(RelationshipShape, carol!.svc.relationship)).toEqual([]);
    expect((await search('carol', { with_relationships: true }))[0]!.svc.relationship).toEqual({});
  });

  it('refuses a missing query, and finds nothing for a blank one', async () => {
    await app.http.get('/api/v1/accounts/search').expect(400);
    for (const blank of ['', '%20', '%E2%80%8B'])
      await app.http.get(`/api/v1/accounts/search?q=${blank}`).expect(200, []);
    expect(await names('🐈')).toEqual([]);
    expect(await names('x'.repeat(2_048))).toEqual([]);
  });
});

describe('the lookup on remote servers', () => {
  it('requires a signed-in viewer, `resolve` and a complete handle or address', async () => {
    const port = app.get(RemoteAccounts);
    const asked: string[] = [];
    const zoe = (await app.world.account('zoe@b.example'))!;
    const known = port['filler']();
    port.use({
      resolve: (text) => {
        asked.push(text);
        return Promise.resolve(zoe);
      },
    });
    try {
      for (const q of ['@new@c.example', '!new@c.example', 'https://c.example/@new']) {
        expect(await names(q, { resolve: true }, alice)).toEqual(['zoe@b.example']);
        expect(await names(q, {}, alice)).toEqual([]);
        expect(await names(q, { resolve: true })).toEqual([]);
      }
      for (const q of ['new', '@new@c', 'carol']) await names(q, { resolve: true }, alice);
      expect(asked).toEqual(['@new@c.example', '!new@c.example', 'https://c.example/@new']);
    } finally {
      port.use(known);
    }
  });
});
