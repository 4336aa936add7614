import { isBlank } from '../../common/index.js';

/** A display name as stored: trimmed, and empty when it has no visible character (threat U3). */
export function displayNameOf(text: string): string {
  return isBlank(text) ? '' : text.trim();
}
