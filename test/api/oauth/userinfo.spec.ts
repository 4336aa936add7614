import { UserinfoShape } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';

const app = useApp({ people: ['alice'] });

describe('/oauth/userinfo', () => {
  it.each([
    ['get', 'profile'],
    ['get', 'read:accounts'],
    ['get', 'read'],
    ['post', 'profile'],
  ] as const)('identifies the caller by %s with the scope %s', async (method, scope) => {
    await app.sql("update accounts set display_name = 'Alice' where nickname = 'alice'");
    const answer = await (await app.world.as('alice', scope))[method]('/oauth/userinfo').expect(200);
    expect(answer.body).toEqual({
      iss: 'https://svc.test',
      sub: 'https://svc.test/users/alice',
      name: 'Alice',
      preferred_username: 'alice',
      profile: 'https://svc.test/users/alice',
      picture: 'https://svc.test/images/avi.png',
    });
    expect(checkShape(UserinfoShape, answer.body)).toEqual([]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each(['write:accounts', 'read:statuses', 'push'])('is refused with 403 for the scope %s', async (scope) => {
    await (await app.world.as('alice', scope)).get('/oauth/userinfo').expect(403);
  });

  it('refuses apps without a user and anonymous callers', async () => {
    await (await app.world.asApp('profile')).get('/oauth/userinfo').expect(401);
    const answer = await app.http.get('/oauth/userinfo').expect(401);
    expect(answer.body).toHaveProperty('error');
  });

  it('can be called by scripts of any origin', async () => {
    const answer = await app.http.get('/oauth/userinfo').set('Origin', 'https://app.test');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});
