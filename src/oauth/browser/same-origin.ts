import { type ApiRequest, Forbidden } from '../../common/index.js';

/**
 * Refuses a form that another site sent (threat O19). Every browser names the origin of a form; programs, which name
 * none, carry no cookie that another site could use.
 * @throws Forbidden
 */
export function requireSameOrigin({ headers }: ApiRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign = origin !== undefined && origin !== baseUrl;
  const isCrossSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || isCrossSite) throw new Forbidden('This form belongs to another site');
}
