import {
  BooleanLike,
  Describe,
  IdList,
  NestedList,
  NestedOrNull,
  OptionalId,
  OptionalText,
  TextList,
} from '../../common/index.js';
import { quotePolicyNamed } from '../model/quote-policy.js';
import { PollBody } from '../polls/polls.dto.js';
import type { EditOptions } from './edits.service.js';

/** Higher than any setting for the length of a post: the service rejects longer texts with its own error. */
const TEXT_LENGTH = 1_000_000;
const WORD_LENGTH = 255;
const ADDRESSEES = 100;
/** Not a limit of the service (spec §8): no form has more. */
const ATTACHMENTS = 1_000;

/** Attributes of an attachment that is also in `media_ids`, or that the post keeps. */
export class MediaAttributesBody {
  @Describe('The id of the upload.')
  @OptionalId()
  id?: string;

  @Describe('The description for people who do not see the media.')
  @OptionalText({ max: TEXT_LENGTH })
  description?: string;
}

/**
 * `PUT /api/v1/statuses/:id`. Apps send the whole form, but forms omit an empty content warning, an unchecked box, an
 * empty list and a poll that was taken out. So when a text is given, these fields default to empty. All other omitted fields stay unchanged.
 */
export class EditStatusBody {
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

  @Describe('The language, as a tag such as `en`.')
  @OptionalText({ max: WORD_LENGTH })
  language?: string;

  @Describe('The nicknames of the recipients, instead of those mentioned in the text.')
  @TextList({ max: ADDRESSEES, maxLength: WORD_LENGTH })
  to?: string[];

  @Describe('The ids of the uploads to attach, in their order.')
  @IdList({ max: ATTACHMENTS })
  media_ids?: string[];

  @Describe('New descriptions of uploads.')
  @NestedList(() => MediaAttributesBody, { max: ATTACHMENTS })
  media_attributes?: MediaAttributesBody[];

  @Describe('Who may quote the post: `public`, `followers` or `nobody`.')
  @OptionalText({ max: WORD_LENGTH })
  quote_approval_policy?: string;

  @Describe('The poll; null, or a text without a poll, removes it.')
  @NestedOrNull(() => PollBody)
  poll?: PollBody | null;

  /** @throws Unprocessable for an unknown choice of who may quote the post */
  options(): EditOptions {
    const leftOut = this.leftOut();
    return {
      text: this.status,
      contentType: this.content_type,
      spoiler: this.spoiler_text ?? leftOut.spoiler,
      sensitive: this.sensitive ?? leftOut.sensitive,
      language: this.language,
      to: this.to,
      quotePolicy: quotePolicyNamed(this.quote_approval_policy),
      mediaIds: this.media_ids ?? leftOut.mediaIds,
      descriptions: descriptionsOf(this.media_attributes),
      poll: this.poll === undefined ? leftOut.poll : pollOf(this.poll),
    };
  }

  /** The values of fields that forms omit when they are empty. */
  private leftOut(): Pick<EditOptions, 'spoiler' | 'sensitive' | 'mediaIds' | 'poll'> {
    if (this.status === undefined) return {};
    return { spoiler: '', sensitive: false, mediaIds: this.media_attributes ? undefined : [], poll: null };
  }
}

function pollOf(poll: PollBody | null): EditOptions['poll'] {
  return poll === null || poll.options?.length === 0 ? null : poll.wanted();
}

/** Includes descriptions without an id, so that the service checks their length. */
function descriptionsOf(attributes: readonly MediaAttributesBody[] = []): ReadonlyMap<string, string> {
  return new Map(
    attributes.flatMap(({ id = '', description }): [string, string][] =>
      description === undefined ? [] : [[id, description]],
    ),
  );
}
