import { UsersService } from '../../../src/accounts/index.js';
import { PreferencesShape } from '../../../src/accounts/users/preferences.shape.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ once: ['alice', 'bob', 'gone'] });
let alice: Client;

beforeAll(async () => {
  await app.get(UsersService).setActive(app.world.id('gone'), false);
  alice = await app.world.as('alice');
});

describe('preferences', () => {
  it('are the defaults of new posts', async () => {
    const show = async () => (await alice.get('/api/v1/preferences').expect(200)).body as unknown;
    expect(checkShape(PreferencesShape, await show())).toEqual([]);
    expect(await show()).toMatchObject({
      'posting:default:visibility': 'public',
      'posting:default:sensitive': false,
      'posting:default:quote_policy': 'public',
      'posting:default:language': null,
    });
    const source = { privacy: 'local', quote_policy: 'nobody', sensitive: true, language: 'fr' };
    await alice.patch('/api/v1/accounts/update_credentials', { source }).expect(200);
    expect(checkShape(PreferencesShape, await show())).toEqual([]);
    expect(await show()).toMatchObject({
      'posting:default:visibility': 'local',
      'posting:default:sensitive': true,
      'posting:default:quote_policy': 'nobody',
      'posting:default:language': 'fr',
    });
    await app.world.anonymous.get('/api/v1/preferences').expect(401);
  });
});

describe('an unsupported endpoint of the reference', () => {
  it('answers with an empty list if it lists something of an account', async () => {
    await alice.get('/api/v1/suggestions').expect(200, []);
    await app.world.anonymous.get('/api/v1/suggestions').expect(401);
    for (const client of [alice, app.world.anonymous]) {
      await client.get('/api/v1/accounts/bob/featured_tags').expect(200, []);
    }
    await alice.get('/api/v1/accounts/bob/identity_proofs').expect(200, []);
    await app.world.anonymous.get('/api/v1/accounts/bob/identity_proofs').expect(401);
  });

  it('answers 404 if it is not implemented', async () => {
    await alice.get('/api/v1/featured_tags').expect(404, { error: 'Not implemented' });
    await alice.get('/api/v1/featured_tags/suggestions').expect(404, { error: 'Not implemented' });
    await alice.post('/api/v1/featured_tags', { name: 'x' }).expect(404, { error: 'Not implemented' });
  });

  it('reveals nothing of hidden accounts', async () => {
    for (const name of ['gone', 'nobody', app.world.id('gone')]) {
      await alice.get(`/api/v1/accounts/${name}/featured_tags`).expect(404, { error: "Can't find user" });
      await alice.get(`/api/v1/accounts/${name}/identity_proofs`).expect(404, { error: "Can't find user" });
    }
  });
});
