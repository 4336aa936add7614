import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const COLLECTION = { page: 'text', max_id: 'id', min_id: 'id' } as const;
const REMOTE_INTERACTION: RouteInput = {
  fields: { ap_id: 'text', profile: 'text' },
  beside: { ap_id: 'https://svc.test/users/ada', profile: 'zoe' },
};

/** The input of the routes for other servers, and of the pages on which follows of their accounts begin. */
export const FEDERATION_INPUTS: Readonly<Record<string, RouteInput>> = {
  'GET /.well-known/webfinger': { fields: { resource: 'text' } },
  'GET /.well-known/host-meta': NOTHING,
  'GET /.well-known/host-meta.json': NOTHING,
  'POST /api/v1/svc/remote_interaction': REMOTE_INTERACTION,
  'POST /api/svc/remote_interaction': REMOTE_INTERACTION,
  'GET /main/ostatus': { fields: { nickname: 'text', status_id: 'id' } },
  'POST /main/ostatus': {
    fields: { nickname: 'text', status_id: 'id', profile: 'text', user: 'object', status: 'object' },
  },
  'GET /ostatus_subscribe': { fields: { acct: 'text' } },
  'POST /ostatus_subscribe': { fields: { user: 'object', authorization: 'object' } },
  'GET /authorize_interaction': { fields: { uri: 'text' } },
  'GET /internal/fetch': NOTHING,
  'GET /internal/fetch/outbox': NOTHING,
  'POST /inbox': NOTHING,
  'POST /internal/fetch/inbox': NOTHING,
  'POST /relay/inbox': NOTHING,
  'GET /relay': NOTHING,
  'GET /relay/followers': NOTHING,
  'GET /relay/following': NOTHING,
  'POST /users/:nickname/inbox': NOTHING,
  'GET /users/:nickname': NOTHING,
  'GET /objects/:uuid': NOTHING,
  'GET /objects/:uuid/activity': NOTHING,
  'GET /activities/:uuid': NOTHING,
  'GET /quotes/:uuid': NOTHING,
  'GET /users/:nickname/statuses/:id': NOTHING,
  'GET /users/:nickname/statuses/:id/activity': NOTHING,
  'GET /users/:nickname/outbox': { fields: COLLECTION },
  'GET /users/:nickname/followers': { fields: COLLECTION },
  'GET /users/:nickname/following': { fields: COLLECTION },
  'GET /users/:nickname/collections/featured': NOTHING,
  'GET /users/:nickname/followers_synchronization': NOTHING,
  'GET /contexts/:uuid': { fields: COLLECTION },
  'GET /objects/:uuid/replies': { fields: COLLECTION },
  'GET /schemas/litepub-0.1.jsonld': NOTHING,
};
