import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { FederationShape, PollLimitsShape } from './instance.shape.js';

const closed = <T extends TProperties>(fields: T) => Type.Object(fields, { additionalProperties: false });
const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ pattern: /^https?:\/\/\S+$/ });

/** `GET /.well-known/nodeinfo` (NodeInfo protocol, discovery). */
export const NodeInfoLinksShape = closed({
  links: Type.Array(
    closed({
      rel: Type.String({ pattern: /^http:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/2\.[01]$/ }),
      href: Url,
    }),
  ),
});

const software = { name: Type.String({ pattern: /^[a-z0-9-]+$/ }), version: Type.String() };

function document<Version extends string, Software extends TSchema>(version: Version, softwareShape: Software) {
  return closed({
    version: Type.Literal(version),
    software: softwareShape,
    protocols: Type.Array(Type.String()),
    services: closed({ inbound: Type.Array(Type.String()), outbound: Type.Array(Type.String()) }),
    openRegistrations: Type.Boolean(),
    usage: closed({ users: closed({ total: Count, activeMonth: Count, activeHalfyear: Count }), localPosts: Count }),
    metadata: closed({
      nodeName: Type.String(),
      nodeDescription: Type.String(),
      private: Type.Boolean(),
      suggestions: closed({ enabled: Type.Boolean() }),
      staffAccounts: Type.Array(Url),
      federation: FederationShape,
      pollLimits: PollLimitsShape,
      postFormats: Type.Array(Type.String()),
      uploadLimits: closed({ general: Count, avatar: Count, banner: Count, background: Count }),
      fieldsLimits: closed({ maxFields: Count, maxRemoteFields: Count, nameLength: Count, valueLength: Count }),
      accountActivationRequired: Type.Boolean(),
      invitesEnabled: Type.Boolean(),
      mailerEnabled: Type.Boolean(),
      skipThreadContainment: Type.Boolean(),
      features: Type.Array(Type.String()),
      restrictedNicknames: Type.Array(Type.String()),
    }),
  });
}

/** `GET /nodeinfo/2.0` (NodeInfo schema 2.0). */
export const NodeInfo20Shape = document('2.0', closed(software));

/** `GET /nodeinfo/2.1` (NodeInfo schema 2.1). */
export const NodeInfo21Shape = document(
  '2.1',
  closed({ ...software, repository: Type.Optional(Url), homepage: Type.Optional(Url) }),
);

export type NodeInfoLinks = Static<typeof NodeInfoLinksShape>;
export type NodeInfo20 = Static<typeof NodeInfo20Shape>;
export type NodeInfo21 = Static<typeof NodeInfo21Shape>;
