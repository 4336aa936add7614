import { ADMIN_INPUTS } from './inputs.admin.js';
import { CHAT_INPUTS } from './inputs.chats.js';
import { ADMIN_USER_INPUTS } from './inputs.admin-users.js';
import { EMOJI_INPUTS } from './emoji-inputs.js';
import { KEEPING_INPUTS } from './bookmark-pin-inputs.js';
import { FEDERATION_INPUTS } from './inputs.federation.js';
import { MODERATION_INPUTS } from './inputs.moderation.js';
import { INVITE_INPUTS } from './inputs.invites.js';
import { NOTIFICATION_INPUTS } from './inputs.notifications.js';
import { OAUTH_INPUTS } from './inputs.oauth.js';
import { PAGE_INPUTS } from './inputs.pages.js';
import { WRITING_INPUTS } from './inputs.writing.js';

/** What a field takes, as far as wrong values go. Fields that read anything, such as booleans, are left out. */
export type Kind =
  | 'text'
  | 'word'
  | 'whole'
  | 'id'
  | 'ids'
  | 'many ids' // no fewer than a form holds
  | 'texts'
  | 'object'
  | 'objects'
  | 'file'
  | 'picture' // a file, or a `data:` URI of one
  | 'unsupported';

export interface RouteInput {
  /** Whether the path names something that everything can be called: what is unknown has an empty list. */
  readonly names?: true;
  /** Fields by name; `a.b` is a field of an object, `a.0.b` one of an object in a list. */
  readonly fields: Readonly<Record<string, Kind>>;
  /** What has to stand beside the field that is tried, so that nothing but this field is wrong. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Statuses of refusals that are this route's own. */
  readonly refusals?: readonly number[];
  /** Whether it is a list that is paged by `max_id`, `min_id`, `since_id` and `limit`. */
  readonly paged?: true | 'or all'; // whether a limit of 0 means all
}

const NOTHING: RouteInput = { fields: {} };
const PAGED: RouteInput = { fields: {}, paged: true };
const TERM: RouteInput = { fields: { duration: 'whole', expires_in: 'whole' } };
const DOMAIN: RouteInput = { fields: { domain: 'text' } };
const TIMELINE = { exclude_visibilities: 'texts', reply_visibility: 'word' } as const;
const FEED: RouteInput = { fields: { max_id: 'id' } };

const SEARCH: RouteInput = {
  fields: { q: 'text', type: 'word', account_id: 'id', max_id: 'id', min_id: 'id', since_id: 'id' },
  beside: { q: 'bob' },
};
const LIST: RouteInput = { fields: { title: 'text', replies_policy: 'word' }, beside: { title: 'A list' } };
const MEMBERS: RouteInput = { fields: { account_ids: 'ids' } };

const CREDENTIALS: RouteInput = {
  refusals: [403],
  fields: {
    display_name: 'text',
    note: 'text',
    fields_attributes: 'objects',
    'fields_attributes.0.name': 'text',
    'fields_attributes.0.value': 'text',
    actor_type: 'word',
    also_known_as: 'texts',
    attribution_domains: 'texts',
    avatar_description: 'text',
    header_description: 'text',
    birthday: 'text',
    default_scope: 'word',
    language: 'text',
    source: 'object',
    'source.privacy': 'word',
    'source.quote_policy': 'word',
    'source.language': 'text',
    svc_settings_store: 'object',
    avatar: 'picture',
    header: 'picture',
    svc_background_image: 'picture',
  },
};

const BIRTHDAYS: RouteInput = { fields: { day: 'whole', month: 'whole' } };

const UPLOAD: RouteInput = { fields: { file: 'file', thumbnail: 'file', description: 'text' } };
const IMPORT: RouteInput = { fields: { list: 'text' } };
const DELETION: RouteInput = { fields: { password: 'text' } };
const CONFIRMATION: RouteInput = { fields: { password: 'text', code: 'text' }, beside: { password: 'x', code: 'x' } };
const ALIAS: RouteInput = { fields: { alias: 'text' } };
const SCROBBLE: RouteInput = {
  fields: {
    title: 'text',
    artist: 'text',
    album: 'text',
    length: 'whole',
    external_link: 'text',
    externalLink: 'text',
    visibility: 'word',
  },
  beside: { title: 'A song' },
};
const IMG: RouteInput = { fields: { img: 'picture', image: 'picture', file: 'picture' } };
const RESEND: RouteInput = { fields: { email: 'text', nickname: 'text' } };
const MASCOT: RouteInput = { fields: { file: 'file', image: 'file' } };
const BANNER: RouteInput = { fields: { banner: 'picture' } };

/** The input of every route that is built, written by hand; a route that is missing here fails the tests of bad input. */
export const INPUTS: Readonly<Record<string, RouteInput>> = {
  ...ADMIN_INPUTS,
  ...CHAT_INPUTS,
  ...ADMIN_USER_INPUTS,
  ...EMOJI_INPUTS,
  ...KEEPING_INPUTS,
  ...MODERATION_INPUTS,
  ...INVITE_INPUTS,
  ...OAUTH_INPUTS,
  ...PAGE_INPUTS,
  ...WRITING_INPUTS,
  ...FEDERATION_INPUTS,
  'POST /api/v1/accounts': {
    fields: {
      username: 'text',
      email: 'text',
      password: 'text',
      fullname: 'text',
      bio: 'text',
      reason: 'text',
      birthday: 'text',
      language: 'text',
      locale: 'text',
      token: 'text',
      captcha_token: 'text',
      captcha_solution: 'text',
      captcha_answer_data: 'text',
    },
    beside: { username: 'newcomer', email: 'newcomer@mail.test', password: 'long enough', agreement: true },
  },
  'GET /api/v1/accounts/verify_credentials': NOTHING,
  'PATCH /api/v1/accounts/update_credentials': CREDENTIALS,
  'PATCH /api/v1/update_credentials': CREDENTIALS,
  'GET /api/v1/profile': NOTHING,
  'PATCH /api/v1/profile': CREDENTIALS,
  'PUT /api/v1/profile': CREDENTIALS,
  'DELETE /api/v1/profile/avatar': NOTHING,
  'DELETE /api/v1/profile/header': NOTHING,
  'GET /api/v1/accounts': { fields: { id: 'ids' } },
  'GET /api/v1/accounts/relationships': { fields: { id: 'ids' } },
  'GET /api/v1/accounts/lookup': { fields: { acct: 'text' } },
  'GET /api/v1/accounts/search': { fields: { q: 'text' }, beside: { q: 'bob' } },
  'GET /api/v1/search': SEARCH,
  'GET /api/v2/search': SEARCH,
  'GET /api/v1/accounts/:id': NOTHING,
  'GET /api/v1/accounts/:id/statuses': { fields: { tagged: 'text', exclude_visibilities: 'texts' }, paged: true },
  'GET /api/v1/accounts/:id/followers': PAGED,
  'GET /api/v1/accounts/:id/following': PAGED,
  'GET /api/v1/accounts/:id/identity_proofs': NOTHING,
  'GET /api/v1/accounts/:id/collections': NOTHING,
  'GET /api/v1/accounts/:id/featured_tags': NOTHING,
  'GET /api/v1/featured_tags': NOTHING,
  'GET /api/v1/preferences': NOTHING,
  'GET /api/v1/suggestions': NOTHING,
  'GET /api/v1/trends': NOTHING,
  'GET /api/v1/trends/tags': NOTHING,
  'GET /api/v1/trends/statuses': NOTHING,
  'GET /api/v1/trends/links': NOTHING,
  'GET /api/v1/svc/birthdays': BIRTHDAYS,
  'GET /api/svc/birthdays': BIRTHDAYS,
  'GET /api/v1/svc/settings/:app': NOTHING,
  'GET /api/svc/settings/:app': NOTHING,
  'PATCH /api/v1/svc/settings/:app': NOTHING,
  'PATCH /api/svc/settings/:app': NOTHING,
  'POST /api/v1/accounts/:id/follow': { fields: { languages: 'texts' } },
  'POST /api/v1/accounts/:id/unfollow': NOTHING,
  'POST /api/v1/accounts/:id/remove_from_followers': NOTHING,
  'POST /api/v1/accounts/:id/block': TERM,
  'POST /api/v1/accounts/:id/unblock': NOTHING,
  'POST /api/v1/accounts/:id/mute': TERM,
  'POST /api/v1/accounts/:id/unmute': NOTHING,
  'POST /api/v1/accounts/:id/note': { fields: { comment: 'text' } },
  'POST /api/v1/accounts/:id/pin': NOTHING,
  'POST /api/v1/accounts/:id/unpin': NOTHING,
  'POST /api/v1/accounts/:id/endorse': NOTHING,
  'POST /api/v1/accounts/:id/unendorse': NOTHING,
  'GET /api/v1/accounts/:id/endorsements': PAGED,
  'GET /api/v1/accounts/familiar_followers': { fields: { id: 'ids' } },
  'POST /api/v1/follows': { fields: { uri: 'text' } },
  'GET /api/v1/accounts/:id/lists': NOTHING,
  'GET /api/v1/lists': NOTHING,
  'POST /api/v1/lists': LIST,
  'GET /api/v1/lists/:id': NOTHING,
  'PUT /api/v1/lists/:id': LIST,
  'DELETE /api/v1/lists/:id': NOTHING,
  'GET /api/v1/lists/:id/accounts': { fields: {}, paged: 'or all' },
  'POST /api/v1/lists/:id/accounts': MEMBERS,
  'DELETE /api/v1/lists/:id/accounts': MEMBERS,
  'GET /api/v1/follow_requests': PAGED,
  'POST /api/v1/follow_requests/:id/authorize': NOTHING,
  'POST /api/v1/follow_requests/:id/reject': NOTHING,
  'GET /api/v1/blocks': PAGED,
  'GET /api/v1/mutes': PAGED,
  'GET /api/v1/endorsements': PAGED,
  'GET /api/v1/directory': { fields: { order: 'word' } },
  'GET /api/v2/suggestions': NOTHING,
  'DELETE /api/v1/suggestions/:account_id': NOTHING,
  'GET /api/v1/domain_blocks': PAGED,
  'GET /api/v1/domain_blocks/preview': DOMAIN,
  'POST /api/v1/domain_blocks': DOMAIN,
  'DELETE /api/v1/domain_blocks': DOMAIN,
  'POST /api/v1/svc/accounts/:id/subscribe': NOTHING,
  'POST /api/svc/accounts/:id/subscribe': NOTHING,
  'POST /api/v1/svc/accounts/:id/unsubscribe': NOTHING,
  'POST /api/svc/accounts/:id/unsubscribe': NOTHING,
  'GET /api/v1/svc/accounts/:id/endorsements': PAGED,
  'GET /api/svc/accounts/:id/endorsements': PAGED,
  'POST /api/v1/apps': {
    fields: { client_name: 'text', redirect_uris: 'texts', scopes: 'texts', website: 'text' },
    beside: { client_name: 'An app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  },
  'GET /api/v1/apps/verify_credentials': NOTHING,
  'GET /api/v1/statuses': { fields: { ids: 'ids', id: 'ids' } },
  'GET /api/v1/statuses/:id': NOTHING,
  'DELETE /api/v1/statuses/:id': NOTHING,
  'GET /api/v1/statuses/:id/context': NOTHING,
  'GET /api/v1/statuses/:id/source': NOTHING,
  'GET /api/v1/statuses/:id/quotes': PAGED,
  'GET /api/v1/statuses/:id/favourited_by': PAGED,
  'GET /api/v1/statuses/:id/reblogged_by': PAGED,
  'POST /api/v1/statuses/:id/reblog': { fields: { visibility: 'word' } },
  'POST /api/v1/statuses/:id/unreblog': NOTHING,
  'POST /api/v1/statuses/:id/favourite': NOTHING,
  'POST /api/v1/statuses/:id/unfavourite': NOTHING,
  'GET /api/v1/favourites': PAGED,
  'GET /api/v1/svc/accounts/:id/favourites': PAGED,
  'GET /api/svc/accounts/:id/favourites': PAGED,
  'POST /api/v1/media': UPLOAD,
  'POST /api/v2/media': UPLOAD,
  'POST /api/v1/upload': UPLOAD,
  'GET /api/v1/media/:id': NOTHING,
  'DELETE /api/v1/media/:id': NOTHING,
  'PUT /api/v1/media/:id': { fields: { description: 'text', thumbnail: 'file' } },
  'GET /media/*path': { fields: { name: 'text' } },
  'GET /proxy/:sig/:url': NOTHING,
  'GET /proxy/:sig/:url/:filename': NOTHING,
  'GET /proxy/preview/:sig/:url': NOTHING,
  'GET /proxy/preview/:sig/:url/:filename': NOTHING,
  'PATCH /api/v1/svc/accounts/update_avatar': IMG,
  'PATCH /api/svc/accounts/update_avatar': IMG,
  'PATCH /api/v1/svc/accounts/update_banner': BANNER,
  'PATCH /api/svc/accounts/update_banner': BANNER,
  'PATCH /api/v1/svc/accounts/update_background': IMG,
  'PATCH /api/svc/accounts/update_background': IMG,
  'GET /api/v1/timelines/home': { fields: TIMELINE, paged: true },
  'GET /api/v1/timelines/public': { fields: { ...TIMELINE, instance: 'text' }, paged: true },
  'GET /api/v1/timelines/direct': { fields: TIMELINE, paged: true },
  'GET /api/v1/timelines/tag/:hashtag': {
    fields: { ...TIMELINE, any: 'texts', all: 'texts', none: 'texts' },
    paged: true,
    names: true,
  },
  'GET /api/v1/timelines/link': {
    fields: { ...TIMELINE, url: 'text' },
    beside: { url: 'https://pages.test/' },
  },
  'GET /api/v1/timelines/list/:list_id': { fields: TIMELINE, paged: true },
  'GET /api/v1/tags/:id': NOTHING,
  'POST /api/v1/tags/:id/follow': NOTHING,
  'POST /api/v1/tags/:id/unfollow': NOTHING,
  'GET /api/v1/followed_tags': PAGED,
  'GET /api/v1/markers': { fields: { timeline: 'texts' } },
  'POST /api/v1/markers': {
    fields: {
      home: 'object',
      'home.last_read_id': 'id',
      notifications: 'object',
      'notifications.last_read_id': 'id',
    },
  },
  ...NOTIFICATION_INPUTS,
  'POST /api/v1/reports': {
    fields: { account_id: 'id', status_ids: 'ids', comment: 'text', rule_ids: 'ids', category: 'word' },
  },
  'GET /api/v1/push/subscription': NOTHING,
  'POST /api/v1/push/subscription': {
    fields: {
      subscription: 'object',
      'subscription.endpoint': 'text',
      'subscription.keys': 'object',
      data: 'object',
      'data.alerts': 'object',
      'data.policy': 'word',
      policy: 'word',
    },
  },
  'PUT /api/v1/push/subscription': { fields: { data: 'object', 'data.alerts': 'object', 'data.policy': 'word', policy: 'word' } },
  'DELETE /api/v1/push/subscription': NOTHING,
  'PUT /api/v1/svc/notification_settings': NOTHING,
  'PUT /api/svc/notification_settings': NOTHING,
  'POST /api/v1/svc/follow_import': IMPORT,
  'POST /api/svc/follow_import': IMPORT,
  'POST /api/v1/svc/blocks_import': IMPORT,
  'POST /api/svc/blocks_import': IMPORT,
  'POST /api/v1/svc/mutes_import': IMPORT,
  'POST /api/svc/mutes_import': IMPORT,
  'GET /api/v1/svc/aliases': NOTHING,
  'GET /api/svc/aliases': NOTHING,
  'PUT /api/v1/svc/aliases': ALIAS,
  'PUT /api/svc/aliases': ALIAS,
  'DELETE /api/v1/svc/aliases': ALIAS,
  'DELETE /api/svc/aliases': ALIAS,
  'POST /api/v1/svc/delete_account': DELETION,
  'POST /api/svc/delete_account': DELETION,
  'GET /api/v1/svc/accounts/mfa': NOTHING,
  'GET /api/v1/svc/accounts/mfa/setup/:method': NOTHING,
  'POST /api/v1/svc/accounts/mfa/confirm/:method': CONFIRMATION,
  'GET /api/v1/svc/accounts/mfa/backup_codes': NOTHING,
  'DELETE /api/v1/svc/accounts/mfa/:method': DELETION,
  'GET /api/svc/accounts/mfa': NOTHING,
  'GET /api/svc/accounts/mfa/setup/:method': NOTHING,
  'POST /api/svc/accounts/mfa/confirm/:method': CONFIRMATION,
  'GET /api/svc/accounts/mfa/backup_codes': NOTHING,
  'DELETE /api/svc/accounts/mfa/:method': DELETION,
  'GET /backups/:id/:secret': NOTHING,
  'GET /api/v1/svc/backups': NOTHING,
  'GET /api/svc/backups': NOTHING,
  'POST /api/v1/svc/backups': NOTHING,
  'POST /api/svc/backups': NOTHING,
  'POST /api/v1/svc/scrobble': SCROBBLE,
  'GET /api/v1/svc/accounts/:id/scrobbles': PAGED,
  'POST /api/svc/scrobble': SCROBBLE,
  'GET /api/svc/accounts/:id/scrobbles': PAGED,
  'GET /api/account/confirm_email/:user_id/:token': NOTHING,
  'POST /api/v1/svc/accounts/confirmation_resend': RESEND,
  'POST /api/svc/accounts/confirmation_resend': RESEND,
  'GET /api/v1/svc/mascot': NOTHING,
  'PUT /api/v1/svc/mascot': MASCOT,
  'GET /api/svc/mascot': NOTHING,
  'PUT /api/svc/mascot': MASCOT,
  'GET /api/v1/instance': NOTHING,
  'GET /api/v2/instance': NOTHING,
  'GET /api/v1/peers/search': { fields: { q: 'text' } },
  'GET /api/openapi': NOTHING,
  'GET /api/docs': NOTHING,
  'GET /api/docs/:version/:file': NOTHING,
  'GET /api/v1/announcements': NOTHING,
  'POST /api/v1/announcements/:id/dismiss': NOTHING,
  'PUT /api/v1/announcements/:id/reactions/:name': NOTHING,
  'DELETE /api/v1/announcements/:id/reactions/:name': NOTHING,
  'GET /api/v1/svc/captcha': NOTHING,
  'GET /api/svc/captcha': NOTHING,
  'GET /api/v1/svc/healthcheck': NOTHING,
  'GET /api/svc/healthcheck': NOTHING,
  'GET /api/v1/svc/federation_status': NOTHING,
  'GET /api/svc/federation_status': NOTHING,
  'GET /.well-known/nodeinfo': NOTHING,
  'GET /nodeinfo/:version': NOTHING,
  'GET /users/:nickname/feed': FEED,
  'GET /users/:nickname/feed.atom': FEED,
  'GET /users/:nickname/feed.rss': FEED,
  'GET /main/public': FEED,
  'GET /public': NOTHING,
  'GET /explore': NOTHING,
  'GET /about': NOTHING,
  'GET /privacy-policy': NOTHING,
  'GET /terms': NOTHING,
  'GET /.well-known/change-password': NOTHING,
  'GET /tags/:tag': FEED,
  'GET /tag/:tag': NOTHING,
  'GET /@:nickname': { fields: { max_id: 'id', show: 'word' } },
  'GET /@:nickname/followers': FEED,
  'GET /@:nickname/following': FEED,
  'GET /api/oembed': { fields: { url: 'text' } },
  'GET /api/svc/frontend_configurations': NOTHING,
  'GET /api/v1/svc/frontend_configurations': NOTHING,
  'GET /notice/:id': NOTHING,
  'GET /notice/:id/embed_player': NOTHING,
  'GET /tags/:tag.atom': FEED,
  'GET /tags/:tag.rss': FEED,
  'GET /metrics': NOTHING,
  'GET /api/v1/streaming': NOTHING, // as a WebSocket: test/streaming
  'GET /socket/websocket': NOTHING, // as a WebSocket: test/streaming/shoutbox.spec.ts
  'GET /api/v1/streaming/health': NOTHING,
  'GET /api/v1/streaming/user': NOTHING,
  'GET /api/v1/streaming/user/notification': NOTHING,
  'GET /api/v1/streaming/public': NOTHING,
  'GET /api/v1/streaming/public/local': NOTHING,
  'GET /api/v1/streaming/hashtag': { fields: { tag: 'text' } },
  'GET /api/v1/streaming/hashtag/local': { fields: { tag: 'text' } },
  'GET /api/v1/streaming/list': { fields: { list: 'id' } },
  'GET /api/v1/streaming/direct': NOTHING,
  'GET /health/live': NOTHING,
  'GET /health/ready': NOTHING,
  'POST /health/probe': NOTHING,
};
