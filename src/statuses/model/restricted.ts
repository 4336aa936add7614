import type { PostRestrictions } from '../../accounts/index.js';
import { OPEN_TO_USERS, PUBLIC, Visibility } from './visibility.js';

/** A visibility as the author's moderation tags leave it; never wider than before. */
export function restrictedVisibility(visibility: number, { unlists, sandboxes }: PostRestrictions): number {
  if (sandboxes && OPEN_TO_USERS.includes(visibility)) return Visibility.private;
  return unlists && PUBLIC.includes(visibility) ? Visibility.unlisted : visibility;
}

/** The files of a post, and whether it is sensitive, as the author's moderation tags leave them. */
export function restrictedMedia<T>(
  { media, sensitive }: { readonly media: readonly T[]; readonly sensitive: boolean },
  { marksMedia, stripsMedia }: PostRestrictions,
): { media: readonly T[]; sensitive: boolean } {
  return { media: stripsMedia ? [] : media, sensitive: sensitive || (marksMedia && media.length > 0) };
}
