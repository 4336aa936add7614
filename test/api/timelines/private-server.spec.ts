import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { builtEndpoints } from '../../support/fixtures/endpoints.js';

describe('V17 a server that is not public', () => {
  const app = useApp({ once: ['alice'] });
  const open = builtEndpoints().filter(({ access }) => access === 'optional');

  beforeAll(async () => {
    await app.sql('update accounts set hide_favorites = false'); // else the API refuses to list them
  });

  const statusOf = async (method: string, path: string, caller: 'anonymous' | 'alice' | 'app') => {
    const client =
      caller === 'alice'
        ? await app.world.as('alice')
        : caller === 'app'
          ? await app.world.asApp()
          : app.world.anonymous;
    const target = path.replace(':id', app.world.id('alice')).replace(/:\w+/g, 'nothing');
    return (await client[method.toLowerCase() as 'get'](target)).status;
  };

  it('tells nobody the name behind an id whose page is closed', async () => {
    const path = `/users/${app.world.id('alice')}`;
    await app.http.get(path).expect(302);
    await app.sql('update users set is_approved = false');
    await app.http.get(path).expect(404);
    await app.sql('update users set is_approved = true');
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    expect((await app.http.get(path)).headers['location']).toBeUndefined();
    await app.get(SettingsService).update([{ path: 'instance.public', value: true }]);
  });

  it('hides posts, timelines and profiles from visitors', async () => {
    for (const { method, path } of open) expect(await statusOf(method, path, 'anonymous')).not.toBe(403);
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    for (const { method, path } of open) {
      expect({ path, status: await statusOf(method, path, 'anonymous') }).toEqual({ path, status: 403 });
      expect({ path, status: await statusOf(method, path, 'app') }).toEqual({ path, status: 403 });
      expect(await statusOf(method, path, 'alice')).not.toBe(403);
    }
    await app.http.get('/api/v1/timelines/public').expect(403, { error: 'This resource requires authentication.' });
  });

  it('still tells apps how to sign in', async () => {
    for (const path of ['/api/v1/instance', '/api/v2/instance', '/.well-known/oauth-authorization-server']) {
      await app.http.get(path).expect(200);
    }
  });
});
