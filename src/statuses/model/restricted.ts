import type { PostRestrictions } from '../../accounts/index.js';
import { OPEN_TO_USERS, PUBLIC, Visibility } from './visibility.js';

/** Applies the author's moderation tags to a visibility. Never widens it. */
export function restrictedVisibility(visibility: number, { unlists, sandboxes }: PostRestrictions): number {
  if (sandboxes && OPEN_TO_USERS.includes(visibility)) return Visibility.private;
  return unlists && PUBLIC.includes(visibility) ? Visibility.unlisted : visibility;
}

/** Applies the author's moderation tags to the media of a post and to its sensitivity. */
export function restrictedMedia<T>(
  { media, sensitive }: { readonly media: readonly T[]; readonly sensitive: boolean },
  { marksMedia, stripsMedia }: PostRestrictions,
): { media: readonly T[]; sensitive: boolean } {
  return { media: stripsMedia ? [] : media, sensitive: sensitive || (marksMedia && media.length > 0) };
}
