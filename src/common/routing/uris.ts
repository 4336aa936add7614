import { type Env, knownUrl } from '../../platform/index.js';
/** The page of a local post, which apps of other protocols are sent on from. */
export function noticeUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/notice/${id}`;
}

/** The protocol id of a local post. */
export function objectUri(baseUrl: string, uuid: string): string {
  return `${baseUrl}/objects/${uuid}`;
}

/** The protocol id of what a local account did, such as a boost. */
export function activityUri(baseUrl: string, uuid: string): string {
  return `${baseUrl}/activities/${uuid}`;
}

/** The protocol id of a consent to a quote (FEP-044f). */
export function quoteApprovalUri(baseUrl: string, uuid: string): string {
  return `${baseUrl}/quotes/${uuid}`;
}

/** The protocol id of a conversation opened here. */
export function contextUri(baseUrl: string, uuid: string): string {
  return `${baseUrl}/contexts/${uuid}`;
}

/** The domains of local accounts: that of the handles and that of the addresses. */
export function localDomains({ baseUrl, handleDomain }: Pick<Env, 'baseUrl' | 'handleDomain'>): string[] {
  return [handleDomain, knownUrl(baseUrl).host];
}
