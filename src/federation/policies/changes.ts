import { OPEN_TO_USERS, type PolicyPost, PUBLIC, Visibility } from '../../statuses/index.js';

/** The hashtag of sensitive posts. */
export const NSFW = 'nsfw';

/** A public post as an unlisted one. */
export function toUnlisted(post: PolicyPost): PolicyPost {
  return PUBLIC.includes(post.visibility) ? { ...post, visibility: Visibility.unlisted } : post;
}

/** Turns a public post into one for followers. */
export function toFollowersOnly(post: PolicyPost): PolicyPost {
  return OPEN_TO_USERS.includes(post.visibility) ? { ...post, visibility: Visibility.private } : post;
}
