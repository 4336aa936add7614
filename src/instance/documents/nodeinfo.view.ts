import { Json } from '../../common/index.js';
import { featureNames } from './features.js';
import type { InstanceFacts } from './instance-facts.js';
import type { NodeInfo20, NodeInfo21, NodeInfoLinks } from './nodeinfo.shape.js';
import { federation, shortDescription } from './presentation.js';

const SCHEMAS = 'http://nodeinfo.diaspora.software/ns/schema';

/** The supported versions of the NodeInfo schema. */
export const NODEINFO_VERSIONS = ['2.0', '2.1'] as const;
export type NodeInfoVersion = (typeof NODEINFO_VERSIONS)[number];

export function isNodeInfoVersion(version: string): version is NodeInfoVersion {
  return NODEINFO_VERSIONS.some((known) => known === version);
}

/** The Content-Type of a NodeInfo document (NodeInfo protocol, section "Retrieval"). */
export function nodeInfoType(version: NodeInfoVersion): string {
  return `application/json; profile="${SCHEMAS}/${version}#"; charset=utf-8`;
}

/** The addresses of the documents (NodeInfo protocol, section "Discovery"). */
export function nodeInfoLinks(baseUrl: string): Json {
  const links: NodeInfoLinks = {
    links: NODEINFO_VERSIONS.map((version) => ({
      rel: `${SCHEMAS}/${version}`,
      href: `${baseUrl}/nodeinfo/${version}.json`,
    })),
  };
  return Json.of(links);
}

/** The NodeInfo document. */
export function nodeInfo(facts: InstanceFacts, version: NodeInfoVersion): Json {
  const software = { name: facts.brand.replaceAll('_', '-'), version: facts.env.version };
  if (version === '2.0') return Json.of({ version, software, ...common(facts) } satisfies NodeInfo20);
  const source = facts.settings.get('instance.source_url');
  const software21 = source === '' ? software : { ...software, repository: source, homepage: source };
  return Json.of({ version, software: software21, ...common(facts) } satisfies NodeInfo21);
}

function common(facts: InstanceFacts): Omit<NodeInfo20, 'version' | 'software'> {
  const { settings, totals } = facts;
  const { users, statuses, activeMonth, activeHalfyear } = totals;
  return {
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: settings.get('instance.registrations_open'),
    usage: { users: { total: users, activeMonth, activeHalfyear }, localPosts: statuses },
    metadata: { ...presentation(facts), ...limits(facts) },
  };
}

type Metadata = NodeInfo20['metadata'];
type Limits = 'pollLimits' | 'postFormats' | 'uploadLimits' | 'fieldsLimits';

function presentation({ env, brand, settings, staff }: InstanceFacts): Omit<Metadata, Limits> {
  return {
    nodeName: settings.get('instance.name'),
    nodeDescription: shortDescription(settings),
    private: !settings.get('instance.public'),
    suggestions: { enabled: false },
    staffAccounts: [...staff],
    federation: federation(settings),
    accountActivationRequired: settings.get('instance.account_activation_required'),
    invitesEnabled: settings.get('instance.invites_enabled'),
    mailerEnabled: env.smtpUrl !== undefined,
    skipThreadContainment: settings.get('instance.skip_thread_containment'),
    features: featureNames(brand, settings),
    restrictedNicknames: [...settings.get('user.restricted_nicknames')],
  };
}

function limits({ settings }: InstanceFacts): Pick<Metadata, Limits> {
  return {
    pollLimits: settings.get('instance.poll_limits'),
    postFormats: [...settings.get('instance.allowed_post_formats')],
    uploadLimits: {
      general: settings.get('instance.upload_limit'),
      avatar: settings.get('instance.avatar_upload_limit'),
      banner: settings.get('instance.banner_upload_limit'),
      background: settings.get('instance.background_upload_limit'),
    },
    fieldsLimits: {
      maxFields: settings.get('instance.max_account_fields'),
      maxRemoteFields: settings.get('instance.max_remote_account_fields'),
      nameLength: settings.get('instance.account_field_name_length'),
      valueLength: settings.get('instance.account_field_value_length'),
    },
  };
}
