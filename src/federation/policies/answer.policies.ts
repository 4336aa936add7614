import { FOLLOWERS_ONLY, Visibility } from '../../statuses/index.js';
import { isRemote, type Policy, toUnlisted } from './policy.js';

/** QuietReply: answers of this server to public posts are unlisted. */
export const quietReplyPolicy: Policy = {
  concernsOwn: ({ parent }) => parent !== null,
  post: (post, _settings, parties) => (isRemote(parties) || post.parent === null ? post : toUnlisted(post)),
};

/** FODirectReply: answers of this server to posts for followers are direct, since the followers of two people differ. */
export const directReplyPolicy: Policy = {
  concernsOwn: ({ parent }) => parent !== null,
  post(post, _settings, parties) {
    if (isRemote(parties) || !FOLLOWERS_ONLY.includes(post.parent?.visibility ?? Visibility.public)) return post;
    return FOLLOWERS_ONLY.includes(post.visibility) ? { ...post, visibility: Visibility.direct } : post;
  },
};

/** BlockBotReplies: answers of programs to people of this server who do not follow them. */
export const blockBotRepliesPolicy: Policy = {
  concernsOwn: () => false,
  sparesFollowed: true,
  post(post, _settings, { author }) {
    const isProgram = author.domain !== null && ['Service', 'Application'].includes(author.actor_type);
    return isProgram && post.parent?.local === true ? 'a program answers somebody who does not follow it' : post;
  },
};
