import { knownUrl } from '../../platform/index.js';
import { Json, sanitizeHtml } from '../../common/index.js';
import { AnonymousAccess, type Settings } from '../../config/index.js';
import type { InstanceFacts } from './instance-facts.js';
import { ruleJson } from './instance-lists.view.js';
import type { InstanceV1, InstanceV2 } from './instance.shape.js';
import {
  configuration,
  metadata,
  ownLimits,
  pictureUrl,
  shortDescription,
  streamingUrl,
  versionText,
} from './presentation.js';

/**
 * The API version of the reference whose functions are here, for apps that ask for it rather than for each: grouped
 * notifications (2), PKCE (3), pushes of RFC 8291 (4), endorsements of profiles (6), quotes (7), the scope `profile` (8).
 */
const API_VERSION = 8;
/** The size of the default icon in pixels. */
const ICON_SIZE = '192x192';

/** `GET /api/v1/instance` (reference Instance v1; spec §2.10). */
export function instanceV1(facts: InstanceFacts): Json {
  const { env, settings, totals, contact } = facts;
  const instance: Omit<InstanceV1, 'contact_account' | 'svc'> = {
    uri: knownUrl(env.baseUrl).host,
    title: settings.get('instance.name'),
    description: sanitizeHtml(settings.get('instance.description')),
    short_description: shortDescription(settings),
    email: settings.get('instance.email'),
    version: versionText(facts),
    urls: { streaming_api: streamingUrl(env) },
    stats: { user_count: totals.users, status_count: totals.statuses, domain_count: totals.domains },
    thumbnail: pictureUrl(settings.get('instance.thumbnail'), env),
    languages: [...settings.get('instance.languages')],
    registrations: settings.get('instance.registrations_open'),
    approval_required: settings.get('instance.account_approval_required'),
    invites_enabled: settings.get('instance.invites_enabled'),
    rules: facts.rules.map(ruleJson),
    configuration: configuration(settings),
    max_toot_chars: settings.get('instance.limit'),
    max_media_attachments: settings.get('instance.max_media_attachments'),
    poll_limits: settings.get('instance.poll_limits'),
    upload_limit: settings.get('instance.upload_limit'),
    ...ownLimits(env, settings),
  };
  const svc: InstanceV1['svc'] = { metadata: metadata(facts), ...statsAndKey(facts) };
  return Json.object({ ...instance, contact_account: contact, [facts.brand]: svc });
}

/** `GET /api/v2/instance` (reference Instance; spec §2.10). The service's own fields are in its own object only. */
export function instanceV2(facts: InstanceFacts): Json {
  const { env, settings, totals } = facts;
  const instance: Omit<InstanceV2, 'contact' | 'svc'> = {
    domain: env.handleDomain,
    title: settings.get('instance.name'),
    version: versionText(facts),
    source_url: settings.get('instance.source_url'),
    description: shortDescription(settings),
    usage: { users: { active_month: totals.activeMonth } },
    thumbnail: { url: pictureUrl(settings.get('instance.thumbnail'), env), blurhash: null, description: '' },
    icon: [{ src: `${env.baseUrl}/favicon.png`, size: ICON_SIZE }],
    languages: [...settings.get('instance.languages')],
    configuration: configurationV2(facts),
    registrations: {
      enabled: settings.get('instance.registrations_open'),
      approval_required: settings.get('instance.account_approval_required'),
      message: registrationMessage(settings),
      url: null,
    },
    rules: facts.rules.map(ruleJson),
    api_versions: { mastodon: API_VERSION },
  };
  const contact = Json.object({ email: settings.get('instance.email'), account: facts.contact });
  const svc: InstanceV2['svc'] = {
    metadata: { ...metadata(facts), ...ownLimits(env, settings) },
    ...statsAndKey(facts),
  };
  return Json.object({ ...instance, contact, [facts.brand]: svc });
}

function configurationV2({ env, settings, vapidKey }: InstanceFacts): InstanceV2['configuration'] {
  const { accounts, media_attachments: media, ...limits } = configuration(settings);
  return {
    ...limits,
    accounts: { ...accounts, max_pinned_statuses: settings.get('instance.max_pinned_statuses') },
    media_attachments: { ...media, description_limit: settings.get('instance.description_limit') },
    timelines_access: timelinesAccess(new AnonymousAccess(settings)),
    translation: { enabled: false },
    limited_federation:
      settings.get('mrf.policies').includes('SimplePolicy') && settings.get('mrf_simple.accept').length > 0,
    vapid: { public_key: vapidKey },
    urls: {
      streaming: streamingUrl(env),
      status: null,
      about: `${env.baseUrl}/`,
      privacy_policy: null,
      terms_of_service: null,
    },
  };
}

/** Timelines of hashtags and links are open to those who may read the timelines of all posts. */
function timelinesAccess(anonymous: AnonymousAccess): InstanceV2['configuration']['timelines_access'] {
  const readers = (isLocal: boolean) =>
    anonymous.closesTimeline(isLocal) ? ('authenticated' as const) : ('public' as const);
  const feeds = { local: readers(true), remote: readers(false) };
  return { live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds };
}

/** The message about closed or approved registration; null when the operator set none. */
function registrationMessage(settings: Settings): string | null {
  return sanitizeHtml(settings.get('instance.registration_message')) || null;
}

function statsAndKey({ totals, vapidKey }: InstanceFacts) {
  return { stats: { mau: totals.activeMonth }, vapid_public_key: vapidKey };
}
