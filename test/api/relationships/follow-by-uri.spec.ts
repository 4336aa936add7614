import { type RelationshipJson, RelationshipShape, RemoteAccounts } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;

beforeEach(async () => {
  await app.world.remote('zoe', 'b.example');
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);

async function follow(uri: string): Promise<RelationshipJson> {
  const body = (await alice.post('/api/v1/follows', { uri }).expect(200)).body as unknown;
  expect(checkShape(RelationshipShape, body)).toEqual([]);
  return body as RelationshipJson;
}

describe('following by handle or address', () => {
  it.each([
    'bob',
    '@bob',
    'BOB@svc.test',
    'acct:bob@svc.test',
    'https://svc.test/users/bob',
    'https://svc.test/@bob',
    'https://svc.test/@Bob/',
    'https://SVC.test/users/bob?x=1#y',
  ])('finds local accounts: %s', async (uri) => {
    expect(await follow(uri)).toMatchObject({ id: id('bob'), following: true });
  });

  it.each(['zoe@b.example', '@zoe@B.example', 'acct:zoe@b.example', 'https://b.example/users/zoe'])(
    'finds remote accounts: %s',
    async (uri) => {
      expect(await follow(uri)).toMatchObject({ id: id('zoe@b.example'), following: false, requested: true });
    },
  );

  it('finds a page by its address, but only on the host of its owner', async () => {
    await app.world.remote('eve', 'c.example');
    const page = (name: string, url: string) => app.sql('update accounts set url = $2 where id = $1', [id(name), url]);
    await page('zoe@b.example', 'https://b.example/@zoe');
    await page('eve@c.example', 'https://b.example/@zoe');
    expect((await follow('https://b.example/@zoe')).id).toBe(id('zoe@b.example'));
    await page('eve@c.example', 'https://b.example/users/zoe');
    expect((await follow('https://b.example/users/zoe')).id).toBe(id('zoe@b.example'));
    await page('eve@c.example', 'https://svc.test/@bob');
    expect((await follow('https://svc.test/@bob')).id).toBe(id('bob'));
    await page('eve@c.example', 'https://svc.test/about');
    await alice.post('/api/v1/follows', { uri: 'https://svc.test/about' }).expect(404);
  });

  it('answers 404 for unknown and hidden accounts', async () => {
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('bob')]);
    for (const uri of [
      'bob',
      'nobody',
      'nobody@b.example',
      'https://b.example/users/nobody',
      'https://',
      'https://svc.test/@bob',
      'a b',
      '@',
    ]) {
      await alice.post('/api/v1/follows', { uri }).expect(404, { error: 'Record not found' });
    }
    expect(await app.sql('select 1 from follows')).toEqual([]);
  });

  it('obeys the same rules as other follows', async () => {
    await alice.post('/api/v1/follows', { uri: 'alice' }).expect(400, { error: 'Can not follow yourself' });
    await (await app.world.as('bob')).post('/api/v1/accounts/alice/block').expect(200);
    await alice
      .post('/api/v1/follows', { uri: 'bob' })
      .expect(403, { error: 'Could not follow user: bob blocked you.' });
    await alice.post('/api/v1/follows').expect(400);
    await alice.post('/api/v1/follows', { uri: ' ' }).expect(422);
  });
});

describe('the port for remote accounts', () => {
  it('calls the module that implements it, and fails without one', async () => {
    expect((await app.get(RemoteAccounts).resolve('zoe@b.example'))?.id).toBe(id('zoe@b.example'));
    const empty = new RemoteAccounts();
    expect(() => empty.onApplicationBootstrap()).toThrow('Nobody fills the port RemoteAccounts');
  });
});
