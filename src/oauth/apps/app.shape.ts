import { type Static, Type } from 'typebox';
import { DecimalId, Nullable } from '../../common/index.js';

const VapidKey = Type.String({ pattern: '^B[\\w-]{86}$' });
const closed = { additionalProperties: false } as const;

const description = {
  id: DecimalId,
  name: Type.String(),
  website: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  /** All redirect URIs in one text, for older apps. */
  redirect_uri: Type.String(),
  /** The key for web push subscriptions: an uncompressed point on P-256 in base64url. */
  vapid_key: VapidKey,
};

/** An app's view of itself: `GET /api/v1/apps/verify_credentials`. */
export const AppShape = Type.Object(description, { ...closed, title: 'App' });
export type AppBody = Static<typeof AppShape>;

/** An app with its credentials: the answer to its registration (spec §2.6). */
export const RegisteredAppShape = Type.Object(
  { ...description, client_id: Type.String(), client_secret: Type.String() },
  { ...closed, title: 'RegisteredApp' },
);
export type RegisteredAppBody = Static<typeof RegisteredAppShape>;
