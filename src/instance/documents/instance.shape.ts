import { type Static, type TProperties, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DecimalId, Described, Nullable } from '../../common/index.js';

/** A closed object; `title` names it in the API reference. */
export const closed = <T extends TProperties>(fields: T, title?: string) =>
  Type.Object(fields, { additionalProperties: false, ...(title === undefined ? {} : { title }) });

const Count = Type.Integer({ minimum: 0 });
const Url = Type.String({ pattern: /^https?:\/\/\S+$/ });
const StreamingUrl = Type.String({ pattern: /^wss?:\/\/[^/\s]+$/ });
const Host = Type.String({ pattern: /^[^/\s]+$/ });

/** One of the rules of the server (reference Rule; spec §2.6). */
export const RuleShape = closed(
  {
    id: Described(DecimalId, 'The id of the rule.'),
    text: Described(Type.String(), 'The rule itself.'),
    hint: Described(Type.String(), 'A longer explanation.'),
  },
  'Rule',
);

/** `GET /api/v1/instance/rules` */
export const RulesShape = Type.Array(RuleShape);

const Digits = Type.String({ pattern: /^\d+$/ });

/** `GET /api/v1/instance/activity` (reference): twelve weeks, the running one first; `week` is the Unix time of its begin. */
export const ActivityShape = Type.Array(
  closed({
    week: Described(Digits, 'The begin of the week, as Unix time.'),
    statuses: Described(Digits, 'The number of posts.'),
    logins: Described(Digits, 'The number of active accounts.'),
    registrations: Described(Digits, 'The number of new accounts.'),
  }),
  { minItems: 12, maxItems: 12 },
);

/** `GET /api/v1/instance/peers` */
export const PeersShape = Type.Array(Host);

const accounts = {
  max_featured_tags: Described(Count, 'The most featured hashtags: 0.'),
  max_display_name_length: Described(Count, 'The most characters of a name.'),
  max_note_length: Described(Count, 'The most characters of the text of a profile.'),
  max_profile_fields: Described(Count, 'The most fields of a profile.'),
  profile_field_name_limit: Described(Count, 'The most characters of the label of a field.'),
  profile_field_value_limit: Described(Count, 'The most characters of the content of a field.'),
};
export const PollLimitsShape = closed(
  {
    max_options: Described(Count, 'The most options of a poll.'),
    max_option_chars: Described(Count, 'The most characters of an option.'),
    min_expiration: Described(Count, 'The shortest time of a poll in seconds.'),
    max_expiration: Described(Count, 'The longest time of a poll in seconds.'),
  },
  'PollLimits',
);

const Reading = Type.Enum(['public', 'authenticated']);
const feeds = closed({
  local: Described(Reading, 'Who may read the posts of this server.'),
  remote: Described(Reading, 'Who may read the posts of other servers.'),
});
const statuses = Described(
  closed({
    max_characters: Described(Count, 'The most characters of a post.'),
    max_media_attachments: Described(Count, 'The most media of a post.'),
    characters_reserved_per_url: Described(Count, 'The characters that each link counts.'),
  }),
  'Limits of posts.',
);
const polls = Described(
  closed({
    max_options: PollLimitsShape.properties.max_options,
    max_characters_per_option: PollLimitsShape.properties.max_option_chars,
    min_expiration: PollLimitsShape.properties.min_expiration,
    max_expiration: PollLimitsShape.properties.max_expiration,
  }),
  'Limits of polls.',
);
const media = {
  supported_mime_types: Described(Type.Array(Type.String()), 'The media types that may be uploaded.'),
  image_size_limit: Described(Count, 'The most bytes of a picture.'),
  image_matrix_limit: Described(Count, 'The most pixels of a picture.'),
  video_size_limit: Described(Count, 'The most bytes of a video.'),
  video_frame_rate_limit: Described(Count, 'The most frames of a video in a second.'),
  video_matrix_limit: Described(Count, 'The most pixels of a frame of a video.'),
};

const limits = {
  avatar_upload_limit: Described(Count, 'The most bytes of an avatar.'),
  background_upload_limit: Described(Count, 'The most bytes of a background picture.'),
  banner_upload_limit: Described(Count, 'The most bytes of a header picture.'),
  background_image: Described(Url, 'The address of the background picture of the server.'),
  chat_limit: Described(Count, 'The most characters of a chat message.'),
  description_limit: Described(Count, 'The most characters of the description of an upload.'),
  shout_limit: Described(Count, 'The most characters in the shoutbox.'),
};

/** The reasons that an operator gave, by host. */
const Reasons = Type.Record(Type.String(), Type.Object({ reason: Described(Type.String(), 'The reason.') }));

/** The settings of a policy that runs. */
const settingsOf = (policy: string) =>
  Described(
    Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    `The settings of \`${policy}\`; absent if it does not run.`,
  );

export const FederationShape = closed(
  {
    enabled: Described(Type.Boolean(), 'Whether the server exchanges posts with other servers.'),
    exclusions: Described(Type.Boolean(), 'Whether some servers are left out of the lists.'),
    mrf_policies: Described(
      Type.Array(Type.String()),
      'The names of the policies that run; empty if the operator keeps them secret.',
    ),
    mrf_simple: Described(
      Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
      'The servers that `SimplePolicy` limits, by the name of the limit; absent if it does not run.',
    ),
    mrf_simple_info: Described(
      Type.Optional(Type.Record(Type.String(), Reasons)),
      'The reasons for these limits, by the name of the limit and the server.',
    ),
    mrf_user_allowlist: Described(
      Type.Optional(Type.Record(Type.String(), Count)),
      'How many accounts of a server `UserAllowListPolicy` accepts; absent if it does not run.',
    ),
    mrf_keyword: settingsOf('KeywordPolicy'),
    mrf_hellthread: settingsOf('HellthreadPolicy'),
    mrf_object_age: settingsOf('ObjectAgePolicy'),
    mrf_hashtag: settingsOf('HashtagPolicy'),
    mrf_rejectnonpublic: settingsOf('RejectNonPublic'),
    mrf_emoji: settingsOf('EmojiPolicy'),
    mrf_vocabulary: settingsOf('VocabularyPolicy'),
    mrf_nsfw_api: settingsOf('NsfwApiPolicy'),
    mrf_remote_report: settingsOf('RemoteReportPolicy'),
    quarantined_instances: Described(Type.Array(Type.String()), 'The servers that get only public posts from here.'),
    quarantined_instances_info: Described(
      Type.Optional(
        closed({ quarantined_instances: Described(Reasons, 'The reasons by the server.') }, 'QuarantinedInstancesInfo'),
      ),
      'Why these servers get only public posts.',
    ),
  },
  'Federation',
);

/** The limits of profile fields, in the names of NodeInfo. */
export const fieldLimits = {
  maxFields: Described(Count, 'The most fields of a profile.'),
  maxRemoteFields: Described(Count, 'The most fields that are read of profiles of other servers.'),
  nameLength: Described(Count, 'The most characters of the label of a field.'),
  valueLength: Described(Count, 'The most characters of the content of a field.'),
};

/** Members of all documents of the server, in the names of NodeInfo. */
export const presentation = {
  accountActivationRequired: Described(Type.Boolean(), 'Whether new accounts have to confirm their mail address.'),
  features: Described(Type.Array(Type.String()), 'The names of the features that apps can use.'),
  federation: Described(FederationShape, 'How the server federates, with its policies.'),
  postFormats: Described(Type.Array(Type.String()), 'The formats in which posts may be written, as media types.'),
};

const metadata = {
  account_activation_required: presentation.accountActivationRequired,
  birthday_required: Described(Type.Boolean(), 'Whether new accounts have to name a birthday.'),
  birthday_min_age: Described(Count, 'The age in days from which people may register.'),
  features: presentation.features,
  federation: presentation.federation,
  fields_limits: Described(
    closed({
      max_fields: fieldLimits.maxFields,
      max_remote_fields: fieldLimits.maxRemoteFields,
      name_length: fieldLimits.nameLength,
      value_length: fieldLimits.valueLength,
    }),
    'Limits of the fields of profiles.',
  ),
  post_formats: presentation.postFormats,
};
const statsAndKey = {
  stats: Described(
    closed({ mau: Described(Count, 'The number of accounts that were active in the last month.') }),
    "Figures of this service's own.",
  ),
  vapid_public_key: Described(Type.String(), 'The public key of push messages (VAPID).'),
};

/** `GET /api/v1/instance` (reference Instance v1; spec §2.10). */
export const InstanceV1Shape = closed(
  {
    uri: Described(Host, 'The domain of the server.'),
    title: Described(Type.String(), 'The name of the server.'),
    description: Described(Type.String(), 'The description of the server.'),
    short_description: Described(Type.String(), 'A short description of the server.'),
    email: Described(Type.String(), 'The mail address of the staff.'),
    version: Described(
      Type.String({ pattern: /^2\.7\.2 \(compatible; \w+ \d+\.\d+\.\d+\S*\)$/ }),
      'The version of the API and of this software.',
    ),
    urls: Described(
      closed({ streaming_api: Described(StreamingUrl, 'The address of the streams.') }),
      'Further addresses.',
    ),
    stats: Described(
      closed({
        user_count: Described(Count, 'The number of accounts.'),
        status_count: Described(Count, 'The number of posts.'),
        domain_count: Described(Count, 'The number of known servers.'),
      }),
      'Figures of the server.',
    ),
    thumbnail: Described(Url, 'The address of the picture of the server.'),
    languages: Described(Type.Array(Type.String()), 'The languages of the server.'),
    registrations: Described(Type.Boolean(), 'Whether registration is open.'),
    approval_required: Described(Type.Boolean(), 'Whether the staff approves new accounts.'),
    invites_enabled: Described(Type.Boolean(), 'Whether invites admit new accounts.'),
    contact_account: Described(Nullable(AccountShape), 'The account of the staff; null for none.'),
    rules: Described(RulesShape, 'The rules of the server.'),
    configuration: Described(
      closed({
        accounts: Described(closed(accounts), 'Limits of accounts.'),
        statuses,
        media_attachments: Described(closed(media), 'Limits of uploads.'),
        polls,
      }),
      'Limits that apps heed.',
    ),
    max_toot_chars: Described(Count, 'The most characters of a post.'),
    max_media_attachments: Described(Count, 'The most media of a post.'),
    poll_limits: Described(PollLimitsShape, 'Limits of polls.'),
    upload_limit: Described(Count, 'The most bytes of an upload.'),
    ...limits,
    svc: Described(
      closed({ metadata: Described(closed(metadata), "What apps of this service's own look for."), ...statsAndKey }),
      "Fields of this service's own.",
    ),
  },
  'InstanceV1',
);

/** `GET /api/v2/instance` (reference Instance; spec §2.10). */
export const InstanceV2Shape = closed(
  {
    domain: Described(Host, 'The domain of the server.'),
    title: Described(Type.String(), 'The name of the server.'),
    version: Described(InstanceV1Shape.properties.version, 'The version of the API and of this software.'),
    source_url: Described(Type.String(), 'The address of the source code.'),
    description: Described(Type.String(), 'The description of the server.'),
    usage: Described(
      closed({
        users: Described(
          closed({ active_month: Described(Count, 'How many were active in the last month.') }),
          'The accounts of the server.',
        ),
      }),
      'Figures of the server.',
    ),
    thumbnail: Described(
      closed({
        url: Described(Url, 'The address of the picture.'),
        blurhash: Described(Nullable(Type.String()), 'A blurred form of the picture; null for none.'),
        description: Described(Type.String(), 'The description of the picture.'),
      }),
      'The picture of the server.',
    ),
    icon: Described(
      Type.Array(
        closed({
          src: Described(Url, 'The address of the icon.'),
          size: Described(Type.String({ pattern: /^\d+x\d+$/ }), 'Width and height.'),
        }),
      ),
      'The icon of the server in several sizes.',
    ),
    languages: Described(Type.Array(Type.String()), 'The languages of the server.'),
    configuration: Described(
      closed({
        accounts: Described(
          closed({
            ...accounts,
            max_pinned_statuses: Described(Count, 'The most posts that are pinned to a profile.'),
          }),
          'Limits of accounts.',
        ),
        statuses,
        media_attachments: Described(
          closed({
            ...media,
            description_limit: Described(Count, 'The most characters of the description of an upload.'),
          }),
          'Limits of uploads.',
        ),
        polls,
        /** Who may read timelines: everybody, or who is signed in. */
        timelines_access: Described(
          closed({
            live_feeds: Described(feeds, 'Timelines of all posts.'),
            hashtag_feeds: Described(feeds, 'Timelines of hashtags.'),
            trending_link_feeds: Described(feeds, 'Timelines of posts with a link.'),
          }),
          'Who may read which timelines.',
        ),
        limited_federation: Described(
          Type.Boolean(),
          'Whether the server talks only to servers that the staff allows.',
        ),
        translation: Described(
          closed({ enabled: Described(Type.Boolean(), 'Whether posts can be translated: always false.') }),
          'Translations of posts.',
        ),
        vapid: Described(
          closed({ public_key: Described(Type.String(), 'The public key of push messages (VAPID).') }),
          'Push messages.',
        ),
        urls: Described(
          closed({
            streaming: Described(StreamingUrl, 'The address of the streams.'),
            status: Described(Nullable(Url), 'The address of a page about the state of the server; null for none.'),
            about: Described(Url, 'The address of the page about the server.'),
            privacy_policy: Described(Nullable(Url), 'The address of the privacy policy; null for none.'),
            terms_of_service: Described(Nullable(Url), 'The address of the terms of service; null for none.'),
          }),
          'Further addresses.',
        ),
      }),
      'Limits that apps heed.',
    ),
    registrations: Described(
      closed({
        enabled: Described(Type.Boolean(), 'Whether registration is open.'),
        approval_required: Described(Type.Boolean(), 'Whether the staff approves new accounts.'),
        message: Described(Nullable(Type.String()), 'Why registration is closed; null for no reason.'),
        url: Described(Nullable(Url), 'The address of the page to register; null for none.'),
      }),
      'How new accounts are admitted.',
    ),
    contact: Described(
      closed({
        email: Described(Type.String(), 'The mail address of the staff.'),
        account: Described(Nullable(AccountShape), 'The account of the staff; null for none.'),
      }),
      'How to reach the staff.',
    ),
    rules: Described(RulesShape, 'The rules of the server.'),
    api_versions: Described(
      closed({ mastodon: Described(Count, 'The version of the reference API.') }),
      'The versions of APIs.',
    ),
    svc: Described(
      closed({
        metadata: Described(closed({ ...metadata, ...limits }), "What apps of this service's own look for."),
        ...statsAndKey,
      }),
      "Fields of this service's own.",
    ),
  },
  'InstanceV2',
);

export type RuleJson = Static<typeof RuleShape>;
export type ActivityJson = Static<typeof ActivityShape>;
export type InstanceV1 = Static<typeof InstanceV1Shape>;
export type InstanceV2 = Static<typeof InstanceV2Shape>;
