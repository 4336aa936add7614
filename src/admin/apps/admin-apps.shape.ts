import { type Static, Type } from 'typebox';
import { Described, Nullable } from '../../common/index.js';
import type { ManagedApp } from '../../oauth/index.js';

const closed = { additionalProperties: false } as const;

/** An app as administrators see it (spec §2.6). */
export const AdminAppShape = Type.Object(
  {
    id: Described(Type.Integer(), 'The id of the app.'),
    name: Described(Type.String(), 'The name of the app.'),
    client_id: Described(Type.String(), 'The id of the app in requests for tokens.'),
    client_secret: Described(Type.String(), 'The secret of the app.'),
    /** All redirect URIs, one in a line. */
    redirect_uri: Described(Type.String(), 'The addresses to which codes may be sent, one on each line.'),
    redirect_uris: Described(Type.Array(Type.String()), 'The addresses to which codes may be sent.'),
    scopes: Described(Type.Array(Type.String()), 'The scopes that the app may ask for.'),
    website: Described(Nullable(Type.String()), "The address of the app's own page; null for none."),
    trusted: Described(Type.Boolean(), 'Whether the app is one of the operator.'),
  },
  { ...closed, title: 'AdminApp' },
);
export type AdminAppJson = Static<typeof AdminAppShape>;

/** A page of apps (spec §4.1.6). */
export const AdminAppsShape = Type.Object(
  {
    apps: Described(Type.Array(AdminAppShape), 'The apps.'),
    count: Described(Type.Integer(), 'The total number.'),
    page_size: Described(Type.Integer(), 'The entries of a page.'),
  },
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
