import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const CLIENT = { client_id: 'text', client_secret: 'text' } as const;

/** The input of sign-ins, of apps and of people in a browser. */
export const OAUTH_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /oauth/token': {
    fields: {
      ...CLIENT,
      grant_type: 'text',
      username: 'text',
      name: 'text',
      password: 'text',
      refresh_token: 'text',
      code: 'text',
      redirect_uri: 'text',
      code_verifier: 'text',
      scope: 'text',
      scopes: 'text',
    },
  },
  'POST /oauth/revoke': { fields: { ...CLIENT, token: 'text' } },
  'GET /.well-known/oauth-authorization-server': NOTHING,
  'GET /auth/sign_in': { fields: { return_to: 'text' } },
  'POST /auth/sign_in': { fields: { name: 'text', password: 'text', return_to: 'text' }, refusals: [401] },
  'GET /auth/sign_up': NOTHING,
  'POST /auth/sign_up': {
    fields: {
      username: 'text',
      email: 'text',
      password: 'text',
      reason: 'text',
      birthday: 'text',
      captcha: 'text',
      captcha_token: 'text',
      captcha_answer_data: 'text',
    },
  },
  'POST /auth/sign_out': { fields: { _csrf: 'text' } },
  'GET /oauth/authorize': {
    fields: {
      client_id: 'text',
      redirect_uri: 'text',
      response_type: 'text',
      scope: 'texts',
      state: 'text',
      code_challenge: 'text',
      code_challenge_method: 'text',
      prompt: 'text',
      lang: 'text',
    },
    refusals: [401],
  },
  'POST /oauth/authorize': { fields: { authorization: 'object', _csrf: 'text' }, refusals: [401, 403] },
};
