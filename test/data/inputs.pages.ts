import type { RouteInput } from './inputs.js';

const PATHS = [
  '/robots.txt',
  '/manifest.json',
  '/static/config.json',
  '/static/terms-of-service.html',
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
  '/favicon.ico',
  '/favicon.png',
];

/** The input of pages and files. */
export const PAGE_INPUTS: Readonly<Record<string, RouteInput>> = {
  ...Object.fromEntries(PATHS.map((path): [string, RouteInput] => [`GET ${path}`, { fields: {} }])),
  'POST /frontend_switcher': { fields: { frontend: 'word' } },
};
