import { type Static, Type } from 'typebox';

/** The answer of `/oauth/token` and of a registration (spec §5.4). */
export const TokenShape = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    token_type: Type.Literal('Bearer'),
    access_token: Type.String(),
    /** Absent for an app's own token (RFC 6749 §4.4.3). */
    refresh_token: Type.Optional(Type.String()),
    /** Seconds from now. */
    expires_in: Type.Integer({ minimum: 1 }),
    /** Separated by spaces. */
    scope: Type.String(),
    /** Unix seconds. */
    created_at: Type.Integer({ minimum: 0 }),
    /** The ActivityPub id of the owner; absent for an app's own token. */
    me: Type.Optional(Type.String()),
  },
  { additionalProperties: false, title: 'Token' },
);
export type TokenBody = Static<typeof TokenShape>;
