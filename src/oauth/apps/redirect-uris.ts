import { parseUrl } from '../../platform/index.js';

/** The redirect URI of apps without an address: the server shows the code and the user types it in. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

const MAX_LENGTH = 2000;

/** Schemes that a browser runs, shows or opens itself instead of starting an app. */
const FORBIDDEN_SCHEMES = new Set([
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'mailto',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]);

/**
 * The redirect URIs of an app registration: a list, or one text separated by spaces or line feeds. Every other
 * character, carriage returns included, belongs to the URI and must pass {@link isRedirectUri}.
 */
export function parseRedirectUris(given: readonly string[]): string[] {
  return [...new Set(given.flatMap((text) => text.split(/[ \n]+/).filter(Boolean)))];
}

/**
 * Whether codes may be sent to a URI (threat O2): an http(s) address with a host, or the scheme of an app such as
 * `app://callback` or `app://` alone; printable ASCII, at most 2000 characters, without a fragment, which would swallow the code.
 */
export function isRedirectUri(text: string): boolean {
  if (text === OUT_OF_BAND) return true;
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text) || text.includes('#')) return false;
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):./i.exec(text) ?? [];
  if (/^https?$/i.test(scheme)) return isWebAddress(text);
  return scheme !== '' && parseUrl(text) !== null && !FORBIDDEN_SCHEMES.has(scheme.toLowerCase());
}

/** Whether a text is an absolute http(s) address that a link may hold. */
export function isWebAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^https?:\/\/[^\s/?#\\]+[^\s\\]*$/i.test(text) && parseUrl(text) !== null;
}
