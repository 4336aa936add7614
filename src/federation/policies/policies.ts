import type { PolicyName } from '../../config/index.js';
import * as activities from './activity.policies.js';
import * as answers from './answer.policies.js';
import * as effects from './effect.policies.js';
import { emojiPolicy } from './emoji.policy.js';
import { keywordPolicy } from './keyword.policy.js';
import * as mentions from './mention.policies.js';
import type { Policy } from './policy.js';
import * as posts from './status.policies.js';
import { simplePolicy } from './simple.policy.js';

/** Every policy by the name that operators know. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = {
  SimplePolicy: simplePolicy,
  KeywordPolicy: keywordPolicy,
  HellthreadPolicy: posts.hellthreadPolicy,
  ObjectAgePolicy: posts.objectAgePolicy,
  HashtagPolicy: posts.hashtagPolicy,
  MentionPolicy: posts.mentionPolicy,
  RejectNonPublic: posts.rejectNonPublicPolicy,
  EnsureRePrepended: posts.rePrependedPolicy,
  NoPlaceholderTextPolicy: posts.noPlaceholderTextPolicy,
  NoEmptyPolicy: posts.noEmptyPolicy,
  QuietReply: answers.quietReplyPolicy,
  FODirectReply: answers.directReplyPolicy,
  BlockBotReplies: answers.blockBotRepliesPolicy,
  EmojiPolicy: emojiPolicy,
  NormalizeMarkup: {}, // HTML is sanitised before the first policy, and after those that change it
  InlineQuotePolicy: posts.inlineQuotePolicy,
  QuoteToLinkTagPolicy: {}, // the documents of quotes have the link anyway: quoteLinks in render
  ForceMention: mentions.forceMentionPolicy,
  ForceMentionsInContent: mentions.mentionsInContentPolicy,
  VocabularyPolicy: activities.vocabularyPolicy,
  UserAllowListPolicy: activities.userAllowListPolicy,
  ForceBotUnlistedPolicy: posts.forceBotUnlistedPolicy,
  AntiFollowbotPolicy: activities.antiFollowbotPolicy,
  AntiLinkSpamPolicy: posts.antiLinkSpamPolicy,
  AntiMentionSpamPolicy: posts.antiMentionSpamPolicy,
  ActivityExpirationPolicy: posts.activityExpirationPolicy,
  RemoteReportPolicy: activities.remoteReportPolicy,
  StealEmojiPolicy: effects.stealEmojiPolicy,
  MediaProxyWarmingPolicy: effects.mediaProxyWarmingPolicy,
  FollowBotPolicy: effects.followBotPolicy,
  DNSRBLPolicy: {}, // PoliciesService asks the zone before the decisions
  NsfwApiPolicy: posts.nsfwApiPolicy,
  SubchainPolicy: {}, // PoliciesService puts its policies in its place
  DropPolicy: activities.dropPolicy,
  NoOpPolicy: activities.noOpPolicy,
};
