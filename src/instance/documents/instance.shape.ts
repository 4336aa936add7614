import { type Static, type TProperties, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DecimalId, Nullable } from '../../common/index.js';

/** A closed object; `title` names it in the API reference. */
export const closed = <T extends TProperties>(fields: T, title?: string) =>
  Type.Object(fields, { additionalProperties: false, ...(title === undefined ? {} : { title }) });

const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ pattern: /^https?:\/\/\S+$/ });
const StreamingUrl = Type.String({ pattern: /^wss?:\/\/[^/\s]+$/ });
const Host = Type.String({ pattern: /^[^/\s]+$/ });

/** One of the rules of the server (reference Rule; spec §2.6). */
export const RuleShape = closed({ id: DecimalId, text: Type.String(), hint: Type.String() }, 'Rule');

/** `GET /api/v1/instance/rules` */
export const RulesShape = Type.Array(RuleShape);

const Digits = Type.String({ pattern: /^\d+$/ });

/** `GET /api/v1/instance/activity` (reference): twelve weeks, the running one first; `week` is the Unix time of its begin. */
export const ActivityShape = Type.Array(
  closed({ week: Digits, statuses: Digits, logins: Digits, registrations: Digits }),
  { minItems: 12, maxItems: 12 },
);

/** `GET /api/v1/instance/peers` */
export const PeersShape = Type.Array(Host);

const accounts = {
  max_featured_tags: Count,
  max_display_name_length: Count,
  max_note_length: Count,
  max_profile_fields: Count,
  profile_field_name_limit: Count,
  profile_field_value_limit: Count,
};
const Reading = Type.Enum(['public', 'authenticated']);
const feeds = closed({ local: Reading, remote: Reading });
const statuses = closed({
  max_characters: Count,
  max_media_attachments: Count,
  characters_reserved_per_url: Count,
});
const polls = closed({
  max_options: Count,
  max_characters_per_option: Count,
  min_expiration: Count,
  max_expiration: Count,
});
const media = {
  supported_mime_types: Type.Array(Type.String()),
  image_size_limit: Count,
  image_matrix_limit: Count,
  video_size_limit: Count,
  video_frame_rate_limit: Count,
  video_matrix_limit: Count,
};

const limits = {
  avatar_upload_limit: Count,
  background_upload_limit: Count,
  banner_upload_limit: Count,
  background_image: Url,
  chat_limit: Count,
  description_limit: Count,
  shout_limit: Count,
};

/** The reasons that an operator gave, by host. */
const Reasons = Type.Record(Type.String(), Type.Object({ reason: Type.String() }));

/** The settings of a policy that runs. */
const PublishedSettings = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

export const FederationShape = closed(
  {
    enabled: Type.Boolean(),
    exclusions: Type.Boolean(),
    mrf_policies: Type.Array(Type.String()),
    mrf_simple: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    mrf_simple_info: Type.Optional(Type.Record(Type.String(), Reasons)),
    mrf_user_allowlist: Type.Optional(Type.Record(Type.String(), Count)),
    mrf_keyword: PublishedSettings,
    mrf_hellthread: PublishedSettings,
    mrf_object_age: PublishedSettings,
    mrf_hashtag: PublishedSettings,
    mrf_rejectnonpublic: PublishedSettings,
    mrf_emoji: PublishedSettings,
    mrf_vocabulary: PublishedSettings,
    mrf_nsfw_api: PublishedSettings,
    mrf_remote_report: PublishedSettings,
    quarantined_instances: Type.Array(Type.String()),
    quarantined_instances_info: Type.Optional(closed({ quarantined_instances: Reasons }, 'QuarantinedInstancesInfo')),
  },
  'Federation',
);

export const PollLimitsShape = closed(
  {
    max_options: Count,
    max_option_chars: Count,
    min_expiration: Count,
    max_expiration: Count,
  },
  'PollLimits',
);

const metadata = {
  account_activation_required: Type.Boolean(),
  birthday_required: Type.Boolean(),
  birthday_min_age: Count,
  features: Type.Array(Type.String()),
  federation: FederationShape,
  fields_limits: closed({ max_fields: Count, max_remote_fields: Count, name_length: Count, value_length: Count }),
  post_formats: Type.Array(Type.String()),
};
const statsAndKey = { stats: closed({ mau: Count }), vapid_public_key: Type.String() };

/** `GET /api/v1/instance` (reference Instance v1; spec §2.10). */
export const InstanceV1Shape = closed(
  {
    uri: Host,
    title: Type.String(),
    description: Type.String(),
    short_description: Type.String(),
    email: Type.String(),
    version: Type.String({ pattern: /^2\.7\.2 \(compatible; \w+ \d+\.\d+\.\d+\S*\)$/ }),
    urls: closed({ streaming_api: StreamingUrl }),
    stats: closed({ user_count: Count, status_count: Count, domain_count: Count }),
    thumbnail: Url,
    languages: Type.Array(Type.String()),
    registrations: Type.Boolean(),
    approval_required: Type.Boolean(),
    invites_enabled: Type.Boolean(),
    contact_account: Nullable(AccountShape),
    rules: RulesShape,
    configuration: closed({
      accounts: closed(accounts),
      statuses,
      media_attachments: closed(media),
      polls,
    }),
    max_toot_chars: Count,
    max_media_attachments: Count,
    poll_limits: PollLimitsShape,
    upload_limit: Count,
    ...limits,
    svc: closed({ metadata: closed(metadata), ...statsAndKey }),
  },
  'InstanceV1',
);

/** `GET /api/v2/instance` (reference Instance; spec §2.10). */
export const InstanceV2Shape = closed(
  {
    domain: Host,
    title: Type.String(),
    version: InstanceV1Shape.properties.version,
    source_url: Type.String(),
    description: Type.String(),
    usage: closed({ users: closed({ active_month: Count }) }),
    thumbnail: closed({ url: Url, blurhash: Nullable(Type.String()), description: Type.String() }),
    icon: Type.Array(closed({ src: Url, size: Type.String({ pattern: /^\d+x\d+$/ }) })),
    languages: Type.Array(Type.String()),
    configuration: closed({
      accounts: closed({ ...accounts, max_pinned_statuses: Count }),
      statuses,
      media_attachments: closed({ ...media, description_limit: Count }),
      polls,
      /** Who may read timelines: everybody, or who is signed in. */
      timelines_access: closed({ live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds }),
      limited_federation: Type.Boolean(),
      translation: closed({ enabled: Type.Boolean() }),
      vapid: closed({ public_key: Type.String() }),
      urls: closed({
        streaming: StreamingUrl,
        status: Nullable(Url),
        about: Url,
        privacy_policy: Nullable(Url),
        terms_of_service: Nullable(Url),
      }),
    }),
    registrations: closed({
      enabled: Type.Boolean(),
      approval_required: Type.Boolean(),
      message: Nullable(Type.String()),
      url: Nullable(Url),
    }),
    contact: closed({ email: Type.String(), account: Nullable(AccountShape) }),
    rules: RulesShape,
    api_versions: closed({ mastodon: Count }),
    svc: closed({ metadata: closed({ ...metadata, ...limits }), ...statsAndKey }),
  },
  'InstanceV2',
);

export type RuleJson = Static<typeof RuleShape>;
export type ActivityJson = Static<typeof ActivityShape>;
export type InstanceV1 = Static<typeof InstanceV1Shape>;
export type InstanceV2 = Static<typeof InstanceV2Shape>;
