import { parseUrl } from '../urls/urls.js';

/**
 * Reads a `redis://` URL, which is returned without slashes at its end. The client of Redis decodes user and password, and
 * takes the path for the number of a database.
 * @throws when it could not use the URL; never repeats the password
 */
export function readRedisUrl(value: string): string {
  const text = value.replace(/\/+$/, '');
  const url = parseUrl(text);
  if (!url || !/^rediss?:$/.test(url.protocol)) throw new Error('expected a URL with redis:// or rediss://');
  const isAddress = /^\/\d+$/.test(url.pathname) || (url.hostname !== '' && /^\/?$/.test(url.pathname));
  if (!isAddress) throw new Error('expected redis://user:password@host:port/number');
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error('expected a percent-encoded user and password, with %25 for a percent sign');
  }
  return text;
}
