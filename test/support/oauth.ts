import type supertest from 'supertest';
import type { TestApp } from './app.js';
import { PASSWORD } from './world.js';

/** An app's credentials, as the body of a token request has them. */
export interface ClientKeys {
  readonly client_id: string;
  readonly client_secret: string;
}

/** What `/oauth/token` answers. */
export interface TokenAnswer {
  readonly id: number;
  readonly access_token: string;
  /** Absent for an app's own token. */
  readonly refresh_token: string;
  readonly scope: string;
  readonly created_at: number;
}

type Values = Readonly<Record<string, string>>;

/** Talks OAuth with a test server the way apps do. */
export class OauthClient {
  constructor(private readonly app: TestApp) {}

  /** Registers an app. */
  async register(scopes = 'read write follow push'): Promise<ClientKeys> {
    const answer = await this.app.http
      .post('/api/v1/apps')
      .type('form')
      .send({ client_name: 'An app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes })
      .expect(200);
    const { client_id, client_secret } = answer.body as ClientKeys;
    return { client_id, client_secret };
  }

  /** A token request with the app's credentials in a form. */
  token(client: ClientKeys, values: Values): supertest.Test {
    return this.app.http
      .post('/oauth/token')
      .type('form')
      .send({ ...client, ...values });
  }

  /** Signs a person of the world in. */
  async signIn(client: ClientKeys, username: string, values: Values = {}): Promise<TokenAnswer> {
    const login = { grant_type: 'password', username, password: PASSWORD };
    return (await this.token(client, { ...login, ...values }).expect(200)).body as TokenAnswer;
  }

  /** The app's own token. */
  async ofApp(client: ClientKeys, values: Values = {}): Promise<TokenAnswer> {
    return (await this.token(client, { grant_type: 'client_credentials', ...values }).expect(200)).body as TokenAnswer;
  }

  refresh(client: ClientKeys, refresh_token: string, values: Values = {}): supertest.Test {
    return this.token(client, { grant_type: 'refresh_token', refresh_token, ...values });
  }

  revoke(values: Values): supertest.Test {
    return this.app.http.post('/oauth/revoke').type('form').send(values);
  }

  /** The status with which a token is answered where a user is needed. */
  async statusOf(token: string): Promise<number> {
    const path = '/api/v1/accounts/verify_credentials';
    return (await this.app.http.get(path).set('authorization', `Bearer ${token}`)).status;
  }
}
