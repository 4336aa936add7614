import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

/** The answer of `/oauth/token` and of a registration (spec §5.4). */
export const TokenShape = Type.Object(
  {
    id: Described(Type.Integer({ minimum: 1 }), 'The id of the token.'),
    token_type: Described(Type.Literal('Bearer'), 'How the token is sent.'),
    access_token: Described(Type.String(), 'The access token: a secret.'),
    /** Absent for an app's own token (RFC 6749 §4.4.3). */
    refresh_token: Described(Type.Optional(Type.String()), 'The refresh token: a secret.'),
    /** Seconds from now. */
    expires_in: Described(Type.Integer({ minimum: 1 }), 'After how many seconds the access token ends.'),
    /** Separated by spaces. */
    scope: Described(Type.String(), 'The scopes, separated by spaces.'),
    /** Unix seconds. */
    created_at: Described(Type.Integer({ minimum: 0 }), 'When it was created, as Unix time.'),
    /** The ActivityPub id of the owner; absent for an app's own token. */
    me: Described(Type.Optional(Type.String()), 'The id of the actor on the network.'),
  },
  { additionalProperties: false, title: 'Token' },
);
export type TokenBody = Static<typeof TokenShape>;
