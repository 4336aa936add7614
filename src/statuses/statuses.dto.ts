import {
  BooleanLike,
  Describe,
  DurationSeconds,
  IdList,
  Invalid,
  Nested,
  OptionalId,
  OptionalText,
  phrase,
  TextList,
  Unprocessable,
} from '../common/index.js';
import type { ComposeOptions } from './compose/draft.js';
import { PollBody } from './polls/polls.dto.js';
import { StatusQuery } from './core/status.dto.js';
import { quotePolicyNamed } from './model/quote-policy.js';
import { Visibility, type VisibilityName } from './model/visibility.js';

/** Higher than any setting for the length of a post: the service rejects longer texts with its own error. */
const TEXT_LENGTH = 1_000_000;
const WORD_LENGTH = 255;
const ADDRESSEES = 100;
/** The prefix of a visibility that names a list. */
const LIST = 'list:';
const STATUSES_AT_ONCE = 100;
/** Not a limit of the service (spec §8): no form has more. */
const ATTACHMENTS = 1_000;

/** `GET /api/v1/statuses`: statuses by ids. */
export class StatusesQuery extends StatusQuery {
  @Describe('The ids of the posts.')
  @IdList({ max: STATUSES_AT_ONCE })
  ids?: string[];

  @Describe('Another name of `ids`.')
  @IdList({ max: STATUSES_AT_ONCE })
  id?: string[];

  /** @throws Invalid when no ids are given */
  wanted(): string[] {
    const wanted = this.ids ?? this.id;
    if (wanted === undefined) throw new Invalid('ids is missing');
    return wanted;
  }
}

/** `POST /api/v1/statuses` (spec §4.3). */
export class ComposeBody {
  @Describe('The text.')
  @OptionalText({ max: TEXT_LENGTH })
  status?: string;

  @Describe('The format of the text: `text/plain`, `text/markdown`, `text/bbcode` or `text/html`.')
  @OptionalText({ max: WORD_LENGTH })
  content_type?: string;

  @Describe('The content warning.')
  @OptionalText({ max: TEXT_LENGTH })
  spoiler_text?: string;

  @Describe('Whether apps hide the media until the reader opens them.')
  @BooleanLike()
  sensitive?: boolean;

  @Describe('Who sees the post: `public`, `unlisted`, `local`, `private`, `direct`, or `list:` with the id of a list.')
  @OptionalText({ max: WORD_LENGTH })
  visibility?: string;

  @Describe('The language, as a tag such as `en`.')
  @OptionalText({ max: WORD_LENGTH })
  language?: string;

  @Describe('The id of the post that this one answers.')
  @OptionalId()
  in_reply_to_id?: string;

  @Describe('The nicknames of the recipients, instead of those mentioned in the text.')
  @TextList({ max: ADDRESSEES, maxLength: WORD_LENGTH })
  to?: string[];

  @Describe('After how many seconds the post is deleted.')
  @DurationSeconds()
  expires_in?: number;

  @Describe('Whether only to return what the post would look like.')
  @BooleanLike()
  preview?: boolean;

  @Describe('The ids of the uploads to attach, in their order.')
  @IdList({ max: ATTACHMENTS })
  media_ids?: string[];

  @Describe('A poll.')
  @Nested(() => PollBody)
  poll?: PollBody;

  @Describe('When to publish the post (ISO 8601), at least five minutes ahead.')
  @OptionalText({ max: WORD_LENGTH })
  scheduled_at?: string;

  @Describe('The id of the post that this one quotes.')
  @OptionalId()
  quote_id?: string;

  @Describe('Another name of `quote_id`.')
  @OptionalId()
  quoted_status_id?: string;

  @Describe('Who may quote the post: `public`, `followers` or `nobody`.')
  @OptionalText({ max: WORD_LENGTH })
  quote_approval_policy?: string;

  @Describe('The id of the conversation whose recipients get the post.')
  @OptionalId()
  in_reply_to_conversation_id?: string;

  /** @throws Unprocessable for an unknown visibility or choice of who may quote the post */
  options(): ComposeOptions {
    return {
      text: this.status ?? '',
      contentType: this.content_type,
      spoiler: this.spoiler_text,
      sensitive: this.sensitive,
      ...visibilityOf(this.visibility),
      language: this.language,
      inReplyToId: this.in_reply_to_id,
      quoteId: this.quote_id ?? this.quoted_status_id,
      quotePolicy: quotePolicyNamed(this.quote_approval_policy),
      inReplyToConversationId: this.in_reply_to_conversation_id,
      to: this.to,
      expiresIn: this.expires_in,
      mediaIds: this.media_ids,
      poll: this.poll?.wanted(),
    };
  }
}

/** `DELETE /api/v1/statuses/:id`. */
export class DeleteStatusQuery {
  @Describe('Whether to delete the media at once, instead of after a day in which the author may reuse them.')
  @BooleanLike()
  delete_media = false;
}

/** Parses a visibility, or `list:<id>`. Apps send `list` alone in replies, repeating the visibility of the parent. */
function visibilityOf(name: string | undefined): Pick<ComposeOptions, 'visibility' | 'listId'> {
  if (!name) return {};
  if (name.startsWith(LIST)) return { visibility: 'list', listId: name.slice(LIST.length) };
  if (!isVisibility(name)) throw new Unprocessable(phrase('Unknown visibility: {name}', { name }));
  return { visibility: name };
}

function isVisibility(name: string): name is VisibilityName {
  return Object.hasOwn(Visibility, name);
}
