import type { PostingRestrictions } from '../../accounts/index.js';
import { isBlank } from '../../common/index.js';
import { OPEN_TO_USERS, PUBLIC, Visibility } from './visibility.js';

/** Applies the author's moderation tags to a visibility. Never widens it. */
export function restrictedVisibility(visibility: number, { unlists, sandboxes }: PostingRestrictions): number {
  if (sandboxes && OPEN_TO_USERS.includes(visibility)) return Visibility.private;
  return unlists && PUBLIC.includes(visibility) ? Visibility.unlisted : visibility;
}

/** What decides whether the files of a post are hidden at first. */
export interface Sensitivity<T> {
  readonly media: readonly T[];
  /** The choice of the author, and of policies. */
  readonly sensitive: boolean;
  readonly spoiler: string;
}

/** Whether a post is sensitive: files behind a content warning always are. */
export function isSensitive({ media, sensitive, spoiler }: Sensitivity<unknown>): boolean {
  return sensitive || (media.length > 0 && !isBlank(spoiler));
}

/** Applies the author's moderation tags to the media of a post and to its sensitivity. */
export function restrictedMedia<T>(
  status: Sensitivity<T>,
  { marksMedia, stripsMedia }: PostingRestrictions,
): { media: readonly T[]; sensitive: boolean } {
  const media = stripsMedia ? [] : status.media;
  return { media, sensitive: isSensitive({ ...status, media }) || (marksMedia && status.media.length > 0) };
}
