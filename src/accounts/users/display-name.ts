import { isBlank } from '../../common/index.js';

/** A name as it is stored: without blanks around it, and one that nobody sees is none (threat U3). */
export function displayNameOf(text: string): string {
  return isBlank(text) ? '' : text.trim();
}
