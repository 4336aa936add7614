import { FilePart, OptionalId, OptionalText, type UploadedFile } from '../../../common/index.js';

/** The form of a message. The services check the lengths of its texts, since their limits are settings. */
export class MessageFormBody {
  @OptionalText({ max: Number.MAX_SAFE_INTEGER }) content = '';
  @FilePart() file?: UploadedFile | null;
  /** What is seen or heard in the file. */
  @OptionalText({ max: Number.MAX_SAFE_INTEGER }) description = '';
  /** A file that was sent with an earlier try. */
  @OptionalId() media_id?: string;
  /** The newest message that the page shows. */
  @OptionalId() last_read_id?: string;
}

/** The button that marks a chat as read. */
export class ReadFormBody {
  /** The newest message that the page shows. */
  @OptionalId() last_read_id?: string;
}
