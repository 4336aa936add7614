import type { Static } from 'typebox';
import { birthdayRules } from '../../accounts/index.js';
import { CHARACTERS_PER_URL, stripTags } from '../../common/index.js';
import { type HostList, hostReasons, listsHost, type Settings } from '../../config/index.js';
import { type Env, MAX_PIXELS, MEDIA_TYPES } from '../../platform/index.js';
import { featureNames } from './features.js';
import type { InstanceFacts } from './instance-facts.js';
import type { FederationShape } from './instance.shape.js';
import { infoOf, policySettings } from './policy-settings.js';

/** The common parts of the server's documents: instance v1, v2 and NodeInfo. */

/** The version of the reference client API that this server follows (spec §9.2). */
const COMPATIBLE_WITH = '2.7.2';
const MAX_VIDEO_PIXELS = 2_304_000;
const MAX_FRAMES_PER_SECOND = 60;

/** The version text that apps read the reference version from (spec §9.2). */
export function versionText({ brand, env }: InstanceFacts): string {
  return `${COMPATIBLE_WITH} (compatible; ${nameOf(brand)} ${env.version})`;
}

/** The brand's name, capitalised as other servers write it, since apps compare it. */
function nameOf(brand: string): string {
  return brand === 'svc' ? brand : brand.charAt(0).toUpperCase() + brand.slice(1);
}

/** The summary of the server in plain text: the operator's, else the description without markup. */
export function shortDescription(settings: Settings): string {
  return settings.get('instance.short_description') || stripTags(settings.get('instance.description'));
}

/** The address of the streaming API, without a path. */
export function streamingUrl({ baseUrl }: Env): string {
  return baseUrl.replace(/^http/, 'ws');
}

/** A picture's address; paths in the settings belong to this server. */
export function pictureUrl(url: string, { baseUrl }: Env): string {
  return url.startsWith('/') ? baseUrl + url : url;
}

/** The limits that apps read before composing. */
export function configuration(settings: Settings) {
  const polls = settings.get('instance.poll_limits');
  const uploadLimit = settings.get('instance.upload_limit');
  return {
    accounts: {
      max_featured_tags: 0,
      max_display_name_length: settings.get('instance.user_name_length'),
      max_note_length: settings.get('instance.user_bio_length'),
      max_profile_fields: settings.get('instance.max_account_fields'),
      profile_field_name_limit: settings.get('instance.account_field_name_length'),
      profile_field_value_limit: settings.get('instance.account_field_value_length'),
    },
    statuses: {
      max_characters: settings.get('instance.limit'),
      max_media_attachments: settings.get('instance.max_media_attachments'),
      characters_reserved_per_url: CHARACTERS_PER_URL,
    },
    media_attachments: {
      supported_mime_types: MEDIA_TYPES.map(({ mime }) => mime),
      image_size_limit: uploadLimit,
      image_matrix_limit: MAX_PIXELS,
      video_size_limit: uploadLimit,
      video_frame_rate_limit: MAX_FRAMES_PER_SECOND,
      video_matrix_limit: MAX_VIDEO_PIXELS,
    },
    polls: {
      max_options: polls.max_options,
      max_characters_per_option: polls.max_option_chars,
      min_expiration: polls.min_expiration,
      max_expiration: polls.max_expiration,
    },
  };
}

/** The service's own additions to v1 and v2 (spec §2.10). */
export function metadata({ brand, settings }: InstanceFacts) {
  const birthday = birthdayRules(settings);
  return {
    account_activation_required: settings.get('instance.account_activation_required'),
    birthday_required: birthday.required,
    birthday_min_age: birthday.minAgeDays,
    features: featureNames(brand, settings),
    federation: federation(settings),
    fields_limits: {
      max_fields: settings.get('instance.max_account_fields'),
      max_remote_fields: settings.get('instance.max_remote_account_fields'),
      name_length: settings.get('instance.account_field_name_length'),
      value_length: settings.get('instance.account_field_value_length'),
    },
    post_formats: [...settings.get('instance.allowed_post_formats')],
  };
}

/** Whether this server federates, and its policies with their settings, unless an operator keeps them secret. */
export function federation(settings: Settings): Static<typeof FederationShape> {
  const excluded = settings.get('mrf.transparency_exclusions');
  const enabled = settings.get('instance.federating');
  const exclusions = excluded.length > 0;
  if (!settings.get('mrf.transparency')) return { enabled, exclusions, mrf_policies: [], quarantined_instances: [] };
  // An entry of a domain with all of its hosts names the domain too.
  const isExcluded = (entry: string) => listsHost(excluded, entry.replace(/^\*\./, ''));
  const listed = (hosts: HostList) => hostReasons(hosts).filter(([host]) => !isExcluded(host));
  const quarantined = listed(settings.get('instance.quarantined_instances'));
  return {
    enabled,
    exclusions,
    mrf_policies: [...settings.get('mrf.policies')],
    ...policySettings(settings, listed),
    quarantined_instances: quarantined.map(([host]) => host),
    quarantined_instances_info: { quarantined_instances: infoOf(quarantined) },
  };
}

/** Sizes and texts at the top level of v1 and among the service's own of v2 (spec §2.10). */
export function ownLimits(env: Env, settings: Settings) {
  return {
    avatar_upload_limit: settings.get('instance.avatar_upload_limit'),
    background_upload_limit: settings.get('instance.background_upload_limit'),
    banner_upload_limit: settings.get('instance.banner_upload_limit'),
    background_image: pictureUrl(settings.get('instance.background_image'), env),
    chat_limit: settings.get('instance.chat_limit'),
    description_limit: settings.get('instance.description_limit'),
    shout_limit: settings.get('instance.shout_limit'),
  };
}
