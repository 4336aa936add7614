import { createHash } from 'node:crypto';

/** The entity tag of an answer, for conditional requests (RFC 9110, 8.8.3). */
export function entityTag(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
