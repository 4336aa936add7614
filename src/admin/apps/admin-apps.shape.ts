import { type Static, Type } from 'typebox';
import { Nullable } from '../../common/index.js';
import type { ManagedApp } from '../../oauth/index.js';

const closed = { additionalProperties: false } as const;

/** An app as administrators see it (spec §2.6). */
export const AdminAppShape = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    client_id: Type.String(),
    client_secret: Type.String(),
    /** All redirect URIs, one in a line. */
    redirect_uri: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    scopes: Type.Array(Type.String()),
    website: Nullable(Type.String()),
    trusted: Type.Boolean(),
  },
  { ...closed, title: 'AdminApp' },
);
export type AdminAppJson = Static<typeof AdminAppShape>;

/** A page of apps (spec §4.1.6). */
export const AdminAppsShape = Type.Object(
  { apps: Type.Array(AdminAppShape), count: Type.Integer(), page_size: Type.Integer() },
  { ...closed, title: 'AdminApps' },
);
export type AdminAppsJson = Static<typeof AdminAppsShape>;

export function adminAppBody(app: ManagedApp): AdminAppJson {
  return {
    id: Number(app.id),
    name: app.name,
    client_id: app.clientId,
    client_secret: app.clientSecret,
    redirect_uri: app.redirectUris.join('\n'),
    redirect_uris: app.redirectUris,
    scopes: app.scopes,
    website: app.website,
    trusted: app.trusted,
  };
}
