import { belowBothPrefixes } from './both-prefixes.js';
import type { RouteInput } from './inputs.js';

const NOTHING: RouteInput = { fields: {} };
const CLIENT = { client_id: 'text', client_secret: 'text' } as const;

const OWN = { password: 'text' } as const;

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
  'POST /oauth/mfa/challenge': { fields: { ...CLIENT, mfa_token: 'text', challenge_type: 'text', code: 'text' } },
  'POST /oauth/revoke': { fields: { ...CLIENT, token: 'text' } },
  'GET /.well-known/oauth-authorization-server': NOTHING,
  'POST /api/v1/emails/confirmations': { fields: {}, refusals: [403] },
  'GET /api/v1/emails/check_confirmation': NOTHING,
  'GET /oauth/userinfo': NOTHING,
  'POST /oauth/userinfo': NOTHING,
  'GET /auth/start': { fields: { token: 'text' }, refusals: [404] },
  'POST /auth/start': { fields: { token: 'text' }, refusals: [403, 404] },
  'GET /auth/sign_in': { fields: { return_to: 'text' } },
  'POST /auth/sign_in': { fields: { name: 'text', password: 'text', return_to: 'text' }, refusals: [401] },
  'GET /auth/sign_up': { fields: { return_to: 'text' } },
  'POST /auth/sign_up': {
    fields: {
      username: 'text',
      email: 'text',
      password: 'text',
      reason: 'text',
      birthday: 'text',
      return_to: 'text',
      token: 'text',
      captcha: 'text',
      captcha_token: 'text',
      captcha_answer_data: 'text',
      question: 'text',
      question_token: 'text',
      question_answer_data: 'text',
    },
  },
  'GET /mailer/unsubscribe/:token': NOTHING,
  'POST /mailer/unsubscribe/:token': NOTHING,
  'GET /auth/confirmation': NOTHING,
  'POST /auth/confirmation': { fields: { login: 'text' } },
  'GET /auth/password': NOTHING,
  'POST /auth/password': { fields: { email: 'text', nickname: 'text' } },
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
  'GET /oauth/mfa': { fields: { mfa_token: 'text', challenge_type: 'word' } },
  'POST /oauth/mfa/verify': { fields: { mfa: 'object' }, refusals: [401] },
  ...belowBothPrefixes({
    'POST change_password': {
      fields: { ...OWN, new_password: 'text', new_password_confirmation: 'text' },
      beside: { password: 'x', new_password: 'a new password', new_password_confirmation: 'a new password' },
    },
    'POST change_email': { fields: { ...OWN, email: 'text' }, beside: { password: 'x' } },
    'POST disable_account': { fields: OWN, beside: { password: 'x' } },
    'POST move_account': {
      fields: { ...OWN, target_account: 'text' },
      beside: { password: 'x', target_account: 'zoe' },
    },
    'GET apps': NOTHING,
    'GET password_reset/:token': NOTHING,
    'POST password_reset': { fields: { data: 'object' } },
  }),
  'GET /api/oauth_tokens': NOTHING,
  'GET /api/oauth_tokens.json': NOTHING,
  'DELETE /api/oauth_tokens/:id': NOTHING,
};
