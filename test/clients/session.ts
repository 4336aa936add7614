import { createOAuthAPIClient, createRestAPIClient, MastoHttpError, type mastodon } from 'masto';
import type { TestApp } from '../support/servers/app.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { Recorder } from './recorder.js';

export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';
export const SCOPES = 'read write follow push';

/** A signed-in user of an app that is built on the library. */
export interface Session {
  readonly rest: mastodon.rest.Client;
  readonly token: mastodon.v1.Token;
}

/** An app that is built on the library masto, registered at a test server. */
export class MastoApp {
  readonly recorder = new Recorder();
  private credentials: Promise<mastodon.v1.Client> | undefined;

  constructor(private readonly app: TestApp) {}

  restOf(accessToken?: string): mastodon.rest.Client {
    const url = this.app.env.baseUrl;
    return this.recorder.watch('rest', createRestAPIClient(accessToken === undefined ? { url } : { url, accessToken }));
  }

  get oauth(): mastodon.oauth.Client {
    return this.recorder.watch('oauth', createOAuthAPIClient({ url: this.app.env.baseUrl }));
  }

  /** The server's credentials for the app; registers it first. */
  registered(): Promise<mastodon.v1.Client> {
    this.credentials ??= this.restOf().v1.apps.create({
      clientName: 'Phone app',
      redirectUris: OUT_OF_BAND,
      scopes: SCOPES,
      website: 'https://phone.example',
    });
    return this.credentials;
  }

  /** The credentials in every request for a token. */
  async client() {
    const { clientId, clientSecret } = await this.registered();
    return { clientId: clientId ?? '', clientSecret: clientSecret ?? '', redirectUri: OUT_OF_BAND };
  }

  async logIn(username: string, password = PASSWORD): Promise<Session> {
    const client = await this.client();
    const token = await this.oauth.token.create({
      ...client,
      grantType: 'password',
      username,
      password,
      scope: SCOPES,
    });
    return { rest: this.restOf(token.accessToken), token };
  }
}

/** The status code that the library reports for a call; 200 for success. */
export const statusCode = (call: PromiseLike<unknown>): Promise<number> =>
  Promise.resolve(call).then(
    () => 200,
    (error: unknown) => {
      if (error instanceof MastoHttpError) return error.statusCode;
      throw error;
    },
  );

/** The ids of entries, in their order. */
export const idsOf = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);
