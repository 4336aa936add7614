import { Injectable } from '@nestjs/common';
import { Invalid, isBlank, listedTotal, NotFound, type Reason } from '../../common/index.js';
import { isBigintId, newToken, UnitOfWork } from '../../platform/index.js';
import { KNOWN_SCOPES, parseScopes } from '../model/scopes.js';
import { AppsRepository } from './apps.repository.js';
import { type AppFilter, type AppValues, type ManagedApp, ManagedAppsRepository } from './managed-apps.repository.js';
import { isRedirectUri, isWebAddress, parseRedirectUris } from './redirect-uris.js';

/** An app as an administrator describes it; undefined keeps what is there. */
export interface AppChanges {
  readonly name?: string | undefined;
  /** May hold several, separated by spaces or line feeds. */
  readonly redirectUris?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly website?: string | null | undefined;
  readonly trusted?: boolean | undefined;
}

const BLANK = "can't be blank";
const MAX_REDIRECT_URIS = 50;

/** Apps for administrators (spec §4.1.6). The server's own app does not exist for them. */
@Injectable()
export class ManagedAppsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly registered: AppsRepository,
    private readonly apps: ManagedAppsRepository,
  ) {}

  /** The newest first, and how many there are. */
  async page(filter: AppFilter, limit: number, offset: number): Promise<{ apps: ManagedApp[]; count: number }> {
    const [apps, counted] = await Promise.all([this.apps.page(filter, limit, offset), this.apps.count(filter)]);
    return { apps, count: listedTotal(counted, { limit, offset, found: apps.length }) };
  }

  /** Registers an app. Throws Invalid with a message for each wrong field. */
  async create(changes: AppChanges): Promise<ManagedApp> {
    const { name = '', redirectUris = [], scopes = ['read'], website = null, trusted = false } = changes;
    const values = checked({ name, redirectUris, scopes, website });
    return this.uow.run(async () => {
      const { id } = await this.registered.insert({
        name,
        website,
        redirectUris: values.redirectUris ?? [],
        scopes: values.scopes ?? [],
        clientId: newToken(),
        clientSecret: newToken(),
      });
      if (trusted) await this.apps.update(id, { trusted });
      return this.byId(id);
    });
  }

  /** Changes an app. Its tokens keep their scopes. Throws NotFound, and Invalid like {@link create}. */
  async update(id: string, { trusted, ...changes }: AppChanges): Promise<ManagedApp> {
    const values = { ...checked(changes), trusted };
    return this.uow.run(async () => {
      await this.byId(id);
      if (Object.values(values).some((value) => value !== undefined)) await this.apps.update(id, values);
      return this.byId(id);
    });
  }

  /** Deletes an app with its tokens, and returns what it was. Throws NotFound. */
  async delete(id: string): Promise<ManagedApp> {
    return this.uow.run(async () => {
      const app = await this.byId(id);
      await this.apps.delete(id);
      return app;
    });
  }

  private async byId(id: string): Promise<ManagedApp> {
    const app = isBigintId(id) ? await this.apps.byId(id) : undefined;
    if (!app) throw new NotFound();
    return app;
  }
}

/** Throws Invalid with a message for each wrong field. */
function checked({ name, redirectUris, scopes, website }: Omit<AppChanges, 'trusted'>): AppValues {
  const uris = redirectUris && parseRedirectUris(redirectUris);
  const wanted = scopes && parseScopes(scopes);
  const problems = {
    name: name !== undefined && isBlank(name) ? BLANK : undefined,
    redirect_uris: uris && problemOf(uris),
    scopes: wanted && problemOfScopes(wanted),
    website: website && !isWebAddress(website) ? 'must be a web address' : undefined,
  };
  const found = Object.entries(problems).filter((entry): entry is [string, Reason] => entry[1] !== undefined);
  if (found.length > 0) throw Invalid.fields(Object.fromEntries(found));
  return { name, redirectUris: uris, scopes: wanted && [...wanted], website };
}

function problemOfScopes(scopes: readonly string[]): Reason | undefined {
  if (scopes.length === 0) return BLANK;
  return scopes.every((scope) => KNOWN_SCOPES.includes(scope)) ? undefined : 'has an unknown entry';
}

function problemOf(uris: readonly string[]): Reason | undefined {
  if (uris.length === 0) return BLANK;
  return uris.length > MAX_REDIRECT_URIS || !uris.every(isRedirectUri)
    ? 'must be absolute URIs without a fragment'
    : undefined;
}
