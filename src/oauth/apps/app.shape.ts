import { type Static, Type } from 'typebox';
import { DecimalId, Described, Nullable } from '../../common/index.js';

const VapidKey = Type.String({ pattern: '^B[\\w-]{86}$' });
const closed = { additionalProperties: false } as const;

const description = {
  id: Described(DecimalId, 'The id of the app.'),
  name: Described(Type.String(), 'The name of the app.'),
  website: Described(Nullable(Type.String()), "The address of the app's own page; null for none."),
  scopes: Described(Type.Array(Type.String()), 'The scopes that the app may ask for.'),
  redirect_uris: Described(Type.Array(Type.String()), 'The addresses to which codes may be sent.'),
  /** All redirect URIs in one text, for older apps. */
  redirect_uri: Described(Type.String(), 'The same addresses, one on each line.'),
  /** The key for web push subscriptions: an uncompressed point on P-256 in base64url. */
  vapid_key: Described(VapidKey, 'The public key of push messages (VAPID).'),
};

/** An app's view of itself: `GET /api/v1/apps/verify_credentials`. */
export const AppShape = Type.Object(description, { ...closed, title: 'App' });
export type AppBody = Static<typeof AppShape>;

/** An app with its credentials: the answer to its registration (spec §2.6). */
export const RegisteredAppShape = Type.Object(
  {
    ...description,
    client_id: Described(Type.String(), 'The id of the app in requests for tokens.'),
    client_secret: Described(Type.String(), 'The secret of the app.'),
  },
  { ...closed, title: 'RegisteredApp' },
);
export type RegisteredAppBody = Static<typeof RegisteredAppShape>;
