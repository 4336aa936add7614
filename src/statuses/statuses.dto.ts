import {
  BooleanLike,
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
  @IdList({ max: STATUSES_AT_ONCE })
  ids?: string[];

  /** The reference's name for `ids`. */
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
  @OptionalText({ max: TEXT_LENGTH })
  status?: string;

  @OptionalText({ max: WORD_LENGTH })
  content_type?: string;

  @OptionalText({ max: TEXT_LENGTH })
  spoiler_text?: string;

  @BooleanLike()
  sensitive?: boolean;

  @OptionalText({ max: WORD_LENGTH })
  visibility?: string;

  @OptionalText({ max: WORD_LENGTH })
  language?: string;

  @OptionalId()
  in_reply_to_id?: string;

  @TextList({ max: ADDRESSEES, maxLength: WORD_LENGTH })
  to?: string[];

  @DurationSeconds()
  expires_in?: number;

  @BooleanLike()
  preview?: boolean;

  @IdList({ max: ATTACHMENTS })
  media_ids?: string[];

  @Nested(() => PollBody)
  poll?: PollBody;

  @OptionalText({ max: WORD_LENGTH })
  scheduled_at?: string;

  @OptionalId()
  quote_id?: string;

  /** The reference's name for `quote_id`. */
  @OptionalId()
  quoted_status_id?: string;

  /** Who may quote the post: `public`, `followers` or `nobody`. */
  @OptionalText({ max: WORD_LENGTH })
  quote_approval_policy?: string;

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
  /** Whether to delete the media at once, instead of after a day in which the author may reuse them. */
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
