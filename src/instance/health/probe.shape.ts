import { type Static, Type } from 'typebox';

/** `POST /health/probe`: a request as this process sees it. */
export const ProbeShape = Type.Object(
  {
    version: Type.String(),
    /** The bytes of the body that arrived. */
    bytes: Type.Integer({ minimum: 0 }),
    /** The address that counts for limits, behind the proxies of `TRUSTED_PROXIES`. */
    client: Type.String(),
    /** The address of the connection. */
    peer: Type.String(),
    /** The port at which it arrived. */
    port: Type.Integer({ minimum: 0 }),
    /** `X-Forwarded-For` as it arrived; empty without one. */
    forwarded_for: Type.String(),
    host: Type.String(),
    signature: Type.String(),
    digest: Type.String(),
    date: Type.String(),
  },
  { additionalProperties: false, title: 'Probe' },
);

export type Probe = Static<typeof ProbeShape>;
