import { useApp } from '../../support/servers/app.js';
import { type ClientKeys, OauthClient } from '../../support/fixtures/oauth.js';
import { PASSWORD } from '../../support/fixtures/world.js';

const app = useApp({ people: ['alice'] });
let oauth: OauthClient;
let client: ClientKeys;

beforeAll(() => {
  oauth = new OauthClient(app);
});
beforeEach(async () => {
  client = await oauth.register();
});

const invalid = (error: string, error_description: unknown = 'Invalid credentials') => ({ error, error_description });
const INVALID_SCOPE = invalid('invalid_scope', 'The scope is unknown or not one of the app');
const password = (username = 'alice', given = PASSWORD) => ({ grant_type: 'password', username, password: given });

describe('a refusal', () => {
  const said = (text: string) => ({ error: 'invalid_request', error_description: text });
  const unsupported = { error: 'unsupported_grant_type', error_description: 'The grant type is not supported' };

  it.each([
    [{ grant_type: 'implicit', code: 'x' }, unsupported],
    [{ grant_type: 'constructor' }, unsupported],
    [{ grant_type: '' }, said('grant_type is missing')],
    [{}, said('grant_type is missing')],
    [{ grant_type: 'password' }, said('username or password is missing')],
    [{ grant_type: 'password', username: 'alice', password: '' }, said('username or password is missing')],
    [{ grant_type: 'authorization_code' }, said('code is missing')],
    [{ grant_type: 'refresh_token', refresh_token: '' }, said('refresh_token is missing')],
    [{ grant_type: 'client_credentials', scope: 'everything' }, INVALID_SCOPE],
    [{ grant_type: 'authorization_code', code: 'x' }, invalid('invalid_grant')],
  ])('has the code of RFC 6749: %j', async (fields, refusal) => {
    const { body, status } = await app.http.post('/oauth/token').send({ ...client, ...fields });
    expect([status, body]).toEqual([400, refusal]);
  });

  it('of an unknown app is 401, so that apps register again', async () => {
    const { headers } = await oauth
      .token({ ...client, client_id: 'x' }, password())
      .expect(401, invalid('invalid_client'));
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('H5 has a code when a value is no text', async () => {
    for (const value of [{}, [], 5, true]) {
      const answer = await app.http.post('/oauth/token').send({ ...client, ...password(), password: value });
      expect([answer.status, answer.body]).toEqual([400, said('password must be a text')]);
      expect(answer.headers['cache-control']).toContain('no-store');
    }
    const { body } = await oauth.token(client, password('x'.repeat(4097))).expect(400);
    expect(body).toEqual(said('username must have at most 4096 characters'));
    await app.http.post('/oauth/revoke').send({ token: {} }).expect(400, said('token must be a text'));
  });
});
