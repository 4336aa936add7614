import { UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/svc/aliases';

describe('an alias', () => {
  const app = useApp({ people: ['alice', 'bob'] });
  let alice: Client;

  beforeEach(async () => {
    await app.world.remote('carol', 'far.test');
    alice = await app.world.as('alice');
  });

  const listed = async () => (await alice.get(PATH).expect(200)).body as unknown;
  const stored = async () => (await app.world.account('alice'))?.alsoKnownAs;

  it.each(['/api/svc/aliases', '/api/v1/svc/aliases'])('is added, listed and removed at %s', async (path) => {
    expect((await alice.get(path).expect(200)).body).toEqual({ aliases: [] });
    for (const alias of ['bob', '@carol@far.test', 'bob']) {
      expect((await alice.put(path, { alias }).expect(200)).body).toEqual({ status: 'success' });
    }
    expect(await stored()).toEqual(['https://svc.test/users/bob', 'https://far.test/users/carol']);
    expect(await listed()).toEqual({ aliases: ['bob', 'carol@far.test'] });
    expect((await alice.delete(path, { alias: 'Bob@svc.test' }).expect(200)).body).toEqual({ status: 'success' });
    expect(await listed()).toEqual({ aliases: ['carol@far.test'] });
    await alice.delete(`${path}?alias=carol@far.test`).expect(200);
    expect(await listed()).toEqual({ aliases: [] });
  });

  it('is shown with the account', async () => {
    const before = (await app.world.account('alice'))?.version ?? 0;
    await alice.put(PATH, { alias: 'bob' }).expect(200);
    expect((await app.world.account('alice'))?.version).toBe(before + 1);
    const shown = await app.http.get('/api/v1/accounts/alice').expect(200);
    expect(shown.body).toMatchObject({ svc: { also_known_as: ['https://svc.test/users/bob'] } });
  });

  it('of an unknown account is shown by address', async () => {
    const uri = 'https://else.test/users/dave';
    await alice.patch('/api/v1/accounts/update_credentials', { also_known_as: [uri] }).expect(200);
    expect(await listed()).toEqual({ aliases: [uri] });
    await alice.delete(PATH, { alias: uri }).expect(200);
    expect(await stored()).toEqual([]);
  });

  it('belongs to one account only', async () => {
    await (await app.world.as('bob')).put(PATH, { alias: 'carol@far.test' }).expect(200);
    expect(await listed()).toEqual({ aliases: [] });
    await alice.delete(PATH, { alias: 'carol@far.test' }).expect(404);
  });

  it.each([
    ['nobody', { alias: 'nobody' }, 404],
    ['a stranger who cannot be found', { alias: 'nobody@far.test' }, 404],
    ['a deactivated account', { alias: 'bob' }, 404],
    ['no handle at all', { alias: '§§' }, 404],
    ['oneself', { alias: 'alice' }, 422],
    ['nothing', {}, 400],
    ['blanks', { alias: '  ' }, 422],
    ['an object', { alias: { a: 'b' } }, 400],
  ])('cannot be %s', async (_case, body, status) => {
    await app.get(UsersService).setActive(app.world.id('bob'), false);
    const answer = await alice.put(PATH, body);
    expect(answer.status).toBe(status);
    if (status === 404) expect(answer.body).toEqual({ error: 'Target account does not exist.' });
    expect(await stored()).toEqual([]);
  });

  it('cannot be removed when it does not exist', async () => {
    expect((await alice.delete(PATH, { alias: 'bob' }).expect(404)).body).toEqual({
      error: 'Account has no such alias.',
    });
    await alice.delete(PATH).expect(400);
  });

  it('is one of at most 20, even when several are added at once', async () => {
    const full = Array.from({ length: 19 }, (_, at) => `https://else.test/users/p${at}`);
    await alice.patch('/api/v1/accounts/update_credentials', { also_known_as: full }).expect(200);
    const answers = await Promise.all(['bob', 'carol@far.test'].map((alias) => alice.put(PATH, { alias })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await stored()).toHaveLength(20);
  });
});
