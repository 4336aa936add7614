import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Described } from '../../common/index.js';
import { fieldLimits, PollLimitsShape, presentation } from './instance.shape.js';

const closed = <T extends TProperties>(fields: T) => Type.Object(fields, { additionalProperties: false });
const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ pattern: /^https?:\/\/\S+$/ });

/** `GET /.well-known/nodeinfo` (NodeInfo protocol, discovery). */
export const NodeInfoLinksShape = closed({
  links: Described(
    Type.Array(
      closed({
        rel: Described(
          Type.String({ pattern: /^http:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/2\.[01]$/ }),
          'The schema of the document.',
        ),
        href: Described(Url, 'The address of the document.'),
      }),
    ),
    'The documents, one for each version of NodeInfo.',
  ),
});

const software = {
  name: Described(Type.String({ pattern: /^[a-z0-9-]+$/ }), 'The name of the software.'),
  version: Described(Type.String(), 'The version of the software.'),
};

const usage = closed({
  users: Described(
    closed({
      total: Described(Count, 'The number of accounts.'),
      activeMonth: Described(Count, 'How many were active in the last month.'),
      activeHalfyear: Described(Count, 'How many were active in the last 180 days.'),
    }),
    'The accounts of the server.',
  ),
  localPosts: Described(Count, 'The number of posts.'),
});

const metadata = closed({
  nodeName: Described(Type.String(), 'The name of the server.'),
  nodeDescription: Described(Type.String(), 'A short description of the server, without formatting.'),
  private: Described(Type.Boolean(), 'Whether only people who are signed in may read.'),
  suggestions: Described(
    closed({ enabled: Described(Type.Boolean(), 'Whether the server asks a service for suggestions: always false.') }),
    'Suggestions of accounts by another service.',
  ),
  staffAccounts: Described(Type.Array(Url), 'The ids of the staff on the network, as far as they show their role.'),
  pollLimits: Described(PollLimitsShape, 'Limits of polls.'),
  uploadLimits: Described(
    closed({
      general: Described(Count, 'The most bytes of an upload.'),
      avatar: Described(Count, 'The most bytes of an avatar.'),
      banner: Described(Count, 'The most bytes of a header picture.'),
      background: Described(Count, 'The most bytes of a background picture.'),
    }),
    'Limits of uploads.',
  ),
  fieldsLimits: Described(closed(fieldLimits), 'Limits of the fields of profiles.'),
  invitesEnabled: Described(Type.Boolean(), 'Whether invites admit new accounts.'),
  mailerEnabled: Described(Type.Boolean(), 'Whether the server sends mail.'),
  skipThreadContainment: Described(
    Type.Boolean(),
    'Whether replies appear also where the post replied to is not visible.',
  ),
  restrictedNicknames: Described(Type.Array(Type.String()), 'The nicknames that nobody may take.'),
  ...presentation,
});

function document<Version extends string, Software extends TSchema>(version: Version, softwareShape: Software) {
  return closed({
    version: Described(Type.Literal(version), 'The version of the schema.'),
    software: Described(softwareShape, 'The software of the server.'),
    protocols: Described(Type.Array(Type.String()), 'The protocols that the server federates with.'),
    services: Described(
      closed({
        inbound: Described(Type.Array(Type.String()), 'The services that posts come from: always none.'),
        outbound: Described(Type.Array(Type.String()), 'The services that posts go to: always none.'),
      }),
      'Services of other kinds that the server is connected to.',
    ),
    openRegistrations: Described(Type.Boolean(), 'Whether registration is open.'),
    usage: Described(usage, 'Figures of the server.'),
    metadata: Described(metadata, "What apps of this service's own look for."),
  });
}

/** `GET /nodeinfo/2.0` (NodeInfo schema 2.0). */
export const NodeInfo20Shape = document('2.0', closed(software));

/** `GET /nodeinfo/2.1` (NodeInfo schema 2.1). */
export const NodeInfo21Shape = document(
  '2.1',
  closed({
    ...software,
    repository: Described(Type.Optional(Url), 'The address of the source code.'),
    homepage: Described(Type.Optional(Url), 'The address of the source code.'),
  }),
);

export type NodeInfoLinks = Static<typeof NodeInfoLinksShape>;
export type NodeInfo20 = Static<typeof NodeInfo20Shape>;
export type NodeInfo21 = Static<typeof NodeInfo21Shape>;
