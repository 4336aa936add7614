import type { Env } from '../../platform/index.js';

/** The domains of local accounts: that of the handles and that of the addresses. */
export function localDomains({ baseUrl, handleDomain }: Pick<Env, 'baseUrl' | 'handleDomain'>): string[] {
  return [handleDomain, new URL(baseUrl).host];
}
