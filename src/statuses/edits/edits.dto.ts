import {
  BooleanLike,
  IdList,
  NestedList,
  NestedOrNull,
  OptionalId,
  OptionalText,
  TextList,
} from '../../common/index.js';
import { PollBody } from '../polls/polls.dto.js';
import type { EditOptions } from './edits.service.js';

/** Above every setting of the longest post; the rule itself has its own answer. */
const TEXT_LENGTH = 1_000_000;
const WORD_LENGTH = 255;
const ADDRESSEES = 100;
/** No limit of the service's (spec §8): more are more than a form holds. */
const ATTACHMENTS = 1_000;

/** What an edit says of an attachment, which is also given among `media_ids` or stays. */
export class MediaAttributesBody {
  @OptionalId()
  id?: string;

  @OptionalText({ max: TEXT_LENGTH })
  description?: string;
}

/**
 * `PUT /api/v1/statuses/:id`. Apps send the whole form, in which an empty warning, an unmarked box and a list without entries
 * are left out: beside a text, what is not given of them is none. Everything else that is not given stays.
 */
export class EditStatusBody {
  @OptionalText({ max: TEXT_LENGTH })
  status?: string;

  @OptionalText({ max: WORD_LENGTH })
  content_type?: string;

  @OptionalText({ max: TEXT_LENGTH })
  spoiler_text?: string;

  @BooleanLike()
  sensitive?: boolean;

  @OptionalText({ max: WORD_LENGTH })
  language?: string;

  @TextList({ max: ADDRESSEES, maxLength: WORD_LENGTH })
  to?: string[];

  @IdList({ max: ATTACHMENTS })
  media_ids?: string[];

  @NestedList(() => MediaAttributesBody, { max: ATTACHMENTS })
  media_attributes?: MediaAttributesBody[];

  /** Null, or one without options, takes the poll away. */
  @NestedOrNull(() => PollBody)
  poll?: PollBody | null;

  options(): EditOptions {
    const leftOut = this.leftOut();
    return {
      text: this.status,
      contentType: this.content_type,
      spoiler: this.spoiler_text ?? leftOut.spoiler,
      sensitive: this.sensitive ?? leftOut.sensitive,
      language: this.language,
      to: this.to,
      mediaIds: this.media_ids ?? leftOut.mediaIds,
      descriptions: descriptionsOf(this.media_attributes),
      poll: this.poll?.options?.length === 0 ? null : (this.poll?.wanted() ?? this.poll),
    };
  }

  /** What the parts of a form say that are not sent. */
  private leftOut(): Pick<EditOptions, 'spoiler' | 'sensitive' | 'mediaIds'> {
    if (this.status === undefined) return {};
    return { spoiler: '', sensitive: false, mediaIds: this.media_attributes ? undefined : [] };
  }
}

/** What describes nothing is kept too, so that it is checked. */
function descriptionsOf(attributes: readonly MediaAttributesBody[] = []): ReadonlyMap<string, string> {
  return new Map(
    attributes.flatMap(({ id = '', description }): [string, string][] =>
      description === undefined ? [] : [[id, description]],
    ),
  );
}
