import { Unprocessable } from '../../common/index.js';
import type { StatusRow } from '../core/status.repository.js';
import { isQuotable } from '../model/quote-policy.js';
import { FOLLOWERS_ONLY, OPEN_TO_USERS } from '../model/visibility.js';

/** A quoted post. */
export type Quoted = Pick<StatusRow, 'id' | 'authorId' | 'uri' | 'visibility' | 'local'>;

interface Quoter {
  readonly authorId: string;
  readonly quoted?: Quoted | undefined;
}

/**
 * Allows quotes of posts that all users may read, and followers-only quotes of one's own followers-only posts (spec
 * §10.12).
 * @throws Unprocessable for anything else
 */
export function requireQuotable({ quoted, authorId }: Quoter, visibility: number): void {
  if (!quoted || OPEN_TO_USERS.includes(quoted.visibility)) return;
  if (isQuotable(quoted.visibility, quoted.authorId === authorId) && FOLLOWERS_ONLY.includes(visibility)) return;
  throw new Unprocessable('This post cannot be quoted');
}
