import { HANDLE_SIGN, type Handle as WrittenHandle, normalizeDomain } from '../../common/index.js';

/** A name and its domain; local without a domain. */
export type Handle = Pick<WrittenHandle, 'username'> & Partial<Pick<WrittenHandle, 'domain'>>;

/** The form of local nicknames, for forms too: browsers want the hyphen escaped. */
export const NICKNAME_PATTERN = String.raw`[A-Za-z0-9_\-]{1,30}`;
const NICKNAME = new RegExp(`^${NICKNAME_PATTERN}$`);
const REMOTE_NAME = /^[\p{L}\p{N}_.-]{1,255}$/u;

/** Whether a nickname is valid for a local account: ASCII letters, digits, `_` and `-`, at most 30 (threat U1). */
export function isNickname(text: string): boolean {
  return NICKNAME.test(text);
}

/** The handle of an account as the API writes it: `name`, or `name@domain` when remote (spec §10.6). */
export function acctOf(nickname: string, domain: string | null): string {
  return domain === null ? nickname : `${nickname}@${domain}`;
}

/**
 * Reads `name`, `@name`, `name@domain` or `@name@domain`, with `!` for groups; undefined for anything else. Drops a local
 * domain, so that a handle without one is always local.
 */
export function parseHandle(text: string, ours: readonly string[]): Handle | undefined {
  const [username = '', host, ...rest] = text.replace(HANDLE_SIGN, '').split('@');
  if (rest.length > 0 || !REMOTE_NAME.test(username)) return undefined;
  if (host === undefined) return { username };
  const domain = normalizeDomain(host);
  if (domain === undefined) return undefined;
  return ours.includes(domain) ? { username } : { username, domain };
}
