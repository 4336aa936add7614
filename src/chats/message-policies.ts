import { postingRestrictions } from '../accounts/index.js';
import { escapeHtml, textOfHtml } from '../common/index.js';
import { textAsStatus, type PolicyStatus, Visibility } from '../statuses/index.js';

/** What a message says and shows. */
export interface MessageContent {
  /** Plain text. */
  readonly text: string;
  readonly hasMedia: boolean;
}

/** A message as the policies of this server read it: a direct post. */
export function statusOfMessage({ text, hasMedia }: MessageContent): PolicyStatus {
  return { ...textAsStatus('ChatMessage', Visibility.direct, text), hasMedia };
}

/** What policies, and the tags of its sender, left of a message. */
export function messageOfStatus(
  post: PolicyStatus,
  before: MessageContent,
  senderTags: readonly string[],
): MessageContent {
  const isChanged = post.content !== escapeHtml(before.text);
  const hasMedia = post.hasMedia && !postingRestrictions(senderTags).stripsMedia;
  return { text: isChanged ? textOfHtml(post.content) : before.text, hasMedia };
}
