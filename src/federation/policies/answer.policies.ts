import { FOLLOWERS_ONLY, Visibility } from '../../statuses/index.js';
import { isProgram } from '../../accounts/index.js';
import { isRemote, type Policy, toUnlisted } from './policy.js';

/** QuietReply: public answers of this server become unlisted. */
export const quietReplyPolicy: Policy = {
  concernsOwn: ({ parent }) => parent !== null,
  post: (post, _settings, parties) => (isRemote(parties) || post.parent === null ? post : toUnlisted(post)),
};

/** FODirectReply: answers for followers to such posts of others become direct, since the followers of two people differ. */
export const directReplyPolicy: Policy = {
  concernsOwn: ({ parent }) => parent !== null,
  post(post, _settings, parties) {
    if (isRemote(parties) || post.parent?.authorId === parties.author.id) return post;
    if (!FOLLOWERS_ONLY.includes(post.parent?.visibility ?? Visibility.public)) return post;
    return FOLLOWERS_ONLY.includes(post.visibility) ? { ...post, visibility: Visibility.direct } : post;
  },
};

/** BlockBotReplies: answers of programs to people of this server who do not follow them. */
export const blockBotRepliesPolicy: Policy = {
  concernsOwn: () => false,
  sparesFollowed: true,
  post(post, _settings, parties) {
    const isRefused = isRemote(parties) && isProgram(parties.author) && post.parent?.local === true;
    return isRefused ? 'a program answers somebody who does not follow it' : post;
  },
};
