import type { RouteInput } from './inputs.js';

const PATHS = [
  '/robots.txt',
  '/manifest.json',
  '/static/config.json',
  '/static/terms-of-service.html',
  '/static/privacy-policy.html',
  '/instance/panel.html',
  '/images/mascot.png',
  '/images/avi.png',
  '/images/banner.png',
  '/',
  '/:maybe_nickname_or_id',
  '/*path',
  '/static/*path',
  '/instance/*path',
  '/svc/admin',
  '/svc/admin/*path',
  '/frontend_switcher',
  '/pages/:file',
  '/pages/parts',
  '/favicon.ico',
  '/favicon.png',
  '/api/v1/instance/peers',
  '/api/v1/instance/activity',
  '/api/v1/instance/rules',
  '/api/v1/instance/extended_description',
  '/api/v1/instance/terms_of_service',
  '/api/v1/instance/domain_blocks',
  '/api/v1/instance/terms_of_service/:date',
  '/api/v1/instance/privacy_policy',
  '/api/v1/instance/languages',
  '/api/v1/instance/translation_languages',
];

/** The input of pages, files and parts of the instance document. */
export const PAGE_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...Object.fromEntries(PATHS.map((path): [string, RouteInput] => [`GET ${path}`, { fields: {} }])),
  'POST /frontend_switcher': { fields: { frontend: 'word' } },
};
