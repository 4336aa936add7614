import { type ApiRequest, Forbidden } from '../../common/index.js';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a form that another site sent (threat O19). Every browser names the origin of a form; programs, which name
 * none, carry no cookie that another site could use.
 * @throws Forbidden
 */
export function requireSameOrigin(request: ApiRequest, baseUrl: string): void {
  if (isForeign(request, baseUrl)) throw new Forbidden('This form belongs to another site');
}

/**
 * Whether the cookie of a request may stand for its sender (threat O18): browsers send it with requests of other sites
 * too. A request that changes something has to prove that it comes from our own pages.
 */
export function mayUseCookie(request: ApiRequest, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isOwn = origin === baseUrl || site === 'same-origin';
  return !isForeign(request, baseUrl) && (isOwn || SAFE.has(request.method));
}

/** Whether a browser names another site, or another host of ours, as the sender. */
export function isForeign({ headers }: ApiRequest, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (
    (origin !== undefined && origin !== baseUrl) || (site !== undefined && site !== 'same-origin' && site !== 'none')
  );
}
