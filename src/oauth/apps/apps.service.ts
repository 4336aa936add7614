import { Injectable } from '@nestjs/common';
import { type Auth, Invalid, Unauthorized, Unprocessable } from '../../common/index.js';
import { newToken, type ReadCache, ReadCaches, sameSecret, UnitOfWork } from '../../platform/index.js';
import { OWN_CLIENT_ID } from '../model/oauth.entities.js';
import { type AppRow, AppsRepository } from './apps.repository.js';
import type { ClientCredentials } from './client-credentials.js';
import { isRedirectUri, isWebAddress, parseRedirectUris } from './redirect-uris.js';
import { covers, KNOWN_SCOPES, knownScopes, parseScopes } from '../model/scopes.js';

/** The registration of an app. */
export interface AppRegistration {
  readonly name: string;
  /** May hold several, separated by spaces or line feeds. */
  readonly redirectUris: readonly string[] | undefined;
  /** Default: `read`. */
  readonly scopes: readonly string[];
  readonly website: string | null;
}

/** The public fields of an app, as posts show them. */
export interface AppDescription {
  readonly name: string;
  readonly website: string | null;
}

const MAX_REDIRECT_URIS = 50;
const DESCRIPTIONS_BYTES = 1024 * 1024;
const OWN_BYTES = 1024;

/** Registers and authenticates apps. */
@Injectable()
export class AppsService {
  private readonly descriptions: ReadCache<AppDescription>;
  private readonly ownApps: ReadCache<Pick<AppRow, 'id'>>;

  constructor(
    private readonly apps: AppsRepository,
    private readonly uow: UnitOfWork,
    caches: ReadCaches,
  ) {
    const sizeOf = ({ name, website }: AppDescription) => 2 * (name.length + (website?.length ?? 0));
    this.descriptions = caches.create('app_descriptions', DESCRIPTIONS_BYTES, sizeOf);
    this.ownApps = caches.create('own_app', OWN_BYTES, ({ id }) => id.length);
  }

  /**
   * Registers an app with those of its scopes that are known here: apps ask also for what other servers have.
   * @throws Invalid without redirect URIs; Unprocessable for an unsafe redirect URI, only unknown scopes and a website
   * that is no address
   */
  async register({ name, redirectUris, scopes, website }: AppRegistration): Promise<AppRow> {
    if (redirectUris === undefined) throw new Invalid('redirect_uris is missing');
    const requested = parseScopes(scopes);
    return this.apps.insert({
      name,
      website: checkedWebsite(website),
      redirectUris: checkedRedirectUris(redirectUris),
      scopes: requested.length > 0 ? requireKnownScopes(requested) : ['read'],
      clientId: newToken(),
      clientSecret: newToken(),
    });
  }

  /** The app with these credentials. */
  async authenticate({ id, secret }: ClientCredentials): Promise<AppRow | undefined> {
    const app = await this.apps.byClientId(id);
    return app && sameSecret(secret, app.clientSecret) ? app : undefined;
  }

  /**
   * The app that a token belongs to.
   * @throws Unauthorized also when a scope is missing: apps register again on 401 and give up on 403
   */
  async ofToken({ appId, scopes }: Auth): Promise<AppRow> {
    const app = appId !== null && covers(scopes, 'read') ? await this.apps.byId(appId) : undefined;
    if (!app) throw new Unauthorized();
    return app;
  }

  /**
   * An app by the id in one of its tokens.
   * @throws Unauthorized when it is gone
   */
  async byId(id: string): Promise<AppRow> {
    const app = await this.apps.byId(id);
    if (!app) throw new Unauthorized();
    return app;
  }

  /** The apps that an account is signed in with, the newest first. */
  ofAccount(accountId: string): Promise<AppRow[]> {
    return this.apps.ofAccount(accountId);
  }

  /** The app with a client id. */
  byClientId(clientId: string): Promise<AppRow | undefined> {
    return this.apps.byClientId(clientId);
  }

  /** The server's own app, created on first use. No browser is ever sent to it, since it has no redirect URI. */
  async own(): Promise<AppRow> {
    const known = await this.apps.byClientId(OWN_CLIENT_ID);
    if (known) return known;
    const credentials = { clientId: OWN_CLIENT_ID, clientSecret: newToken() };
    const app = { name: 'Browser', website: null, redirectUris: [], scopes: KNOWN_SCOPES, ...credentials };
    await this.uow.outside(() => this.apps.insertOwn(app));
    return this.own();
  }

  /** Whether an id is that of the server's own app; no statement while it is in memory. */
  async isOwn(appId: string | null): Promise<boolean> {
    const own = await this.ownApps.find('own', async () => {
      const { id } = await this.own();
      return { value: { id }, subjects: [`app${id}`] };
    });
    return own.id === appId;
  }

  /** Removes unused apps that no account ever signed in with (threat O26). */
  async purge(): Promise<void> {
    await this.apps.purge();
  }

  /** The public fields of an app; undefined when it is gone. */
  describe(id: string): Promise<AppDescription | undefined> {
    return this.descriptions.find(id, async () => {
      const app = await this.apps.byId(id);
      return app && { value: { name: app.name, website: app.website }, subjects: [`app${id}`] };
    });
  }
}

function checkedRedirectUris(given: readonly string[]): string[] {
  const uris = parseRedirectUris(given);
  if (uris.length === 0 || uris.length > MAX_REDIRECT_URIS || !uris.every(isRedirectUri)) {
    throw new Unprocessable('redirect_uris must be absolute URIs without a fragment');
  }
  return uris;
}

function requireKnownScopes(scopes: readonly string[]): readonly string[] {
  const known = knownScopes(scopes);
  if (known.length === 0) throw new Unprocessable('scopes holds no known scope');
  return known;
}

function checkedWebsite(website: string | null): string | null {
  if (website !== null && !isWebAddress(website)) throw new Unprocessable('website must be a web address');
  return website;
}
