import { createHash } from 'node:crypto';

/** What tells an answer from any other at its address, for those who ask whether it is another by now (RFC 9110, 8.8.3). */
export function entityTag(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
