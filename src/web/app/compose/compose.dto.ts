import {
  AcceptsFiles,
  BooleanLike,
  DurationSeconds,
  FilePart,
  IntLike,
  momentOf,
  Nested,
  NestedList,
  OptionalId,
  OptionalText,
  type UploadedFile,
} from '../../../common/index.js';
import { PollBody } from '../../../statuses/index.js';

/** Higher than any setting: the services reject longer texts with their own errors. */
const TEXT_LENGTH = 1_000_000;
const WORD_LENGTH = 255;
/** More than any form of these pages has. */
const MAX_FILES = 100;
/** The zone that is farthest from UTC, in minutes. */
const FARTHEST_ZONE = 14 * 60;

/** The number of files that a form has fields for. */
export const FILE_FIELDS = 4;

/** Accepts the files of {@link ComposeFormBody}, with the limits of `POST /api/v2/media`. */
export const AcceptsFormFiles = () =>
  AcceptsFiles({ maxBytes: { file_1: 'media', file_2: 'media', file_3: 'media', file_4: 'media' } });

/** A file of a form that was uploaded before. */
export class FormFileBody {
  @OptionalText({ max: WORD_LENGTH }) id = '';
  @OptionalText({ max: TEXT_LENGTH }) description = '';
  @BooleanLike() leave_out = false;
}

/** A new file of a form. */
export interface SentFile {
  readonly file: UploadedFile;
  readonly description: string;
}

/** A time that a form names. */
export class TimeBody {
  /** As fields of the type `datetime-local` send it. */
  @OptionalText({ max: WORD_LENGTH }) scheduled_at = '';
  /** Its zone, in minutes east of UTC. The script tells it; without one, times are in UTC. */
  @IntLike({ min: -FARTHEST_ZONE, max: FARTHEST_ZONE }) zone = 0;

  /** The time in UTC (ISO 8601); undefined for none. The services refuse a text that is no time. */
  time(): string | undefined {
    if (this.scheduled_at === '') return undefined;
    const time = momentOf(this.scheduled_at)?.getTime();
    return time === undefined ? this.scheduled_at : new Date(time - this.zone * 60_000).toISOString();
  }
}

/** The fields of a post, as the pages on which people write have and send them. */
export class ComposeFormBody extends TimeBody {
  @OptionalText({ max: TEXT_LENGTH }) text = '';
  @OptionalText({ max: TEXT_LENGTH }) spoiler_text = '';
  @BooleanLike() sensitive?: boolean;
  /** A visibility, or `list:<id>`. */
  @OptionalText({ max: WORD_LENGTH }) visibility = '';
  @OptionalText({ max: WORD_LENGTH }) language = '';
  @OptionalText({ max: WORD_LENGTH }) content_type = '';
  @OptionalId() in_reply_to_id?: string;
  @OptionalId() quote_id?: string;
  @OptionalText({ max: WORD_LENGTH }) quote_approval_policy = '';
  /** Seconds until the post is deleted; undefined for never. */
  @DurationSeconds() expires_in?: number;
  @Nested(() => PollBody) poll?: PollBody;
  /** For an edit: what becomes of the poll of the post (`keep`, `change` or `remove`). */
  @OptionalText({ max: WORD_LENGTH }) poll_change = 'change';
  @NestedList(() => FormFileBody, { max: MAX_FILES }) media: FormFileBody[] = [];
  @FilePart() file_1?: UploadedFile | null;
  @FilePart() file_2?: UploadedFile | null;
  @FilePart() file_3?: UploadedFile | null;
  @FilePart() file_4?: UploadedFile | null;
  @OptionalText({ max: TEXT_LENGTH }) description_1 = '';
  @OptionalText({ max: TEXT_LENGTH }) description_2 = '';
  @OptionalText({ max: TEXT_LENGTH }) description_3 = '';
  @OptionalText({ max: TEXT_LENGTH }) description_4 = '';
  /** Is new on each page, so that a form that is sent twice posts once. */
  @OptionalText({ max: WORD_LENGTH }) key = '';
  /** The button: `post`, `preview`, `options` (more fields for the poll) or `more` (all fields). */
  @OptionalText({ max: WORD_LENGTH }) action = 'post';

  /** The new files. */
  sentFiles(): SentFile[] {
    const sent: readonly (readonly [UploadedFile | null | undefined, string])[] = [
      [this.file_1, this.description_1],
      [this.file_2, this.description_2],
      [this.file_3, this.description_3],
      [this.file_4, this.description_4],
    ];
    return sent.flatMap(([file, description]) => (file ? [{ file, description: lines(description) }] : []));
  }

  /** The ids of the files that were uploaded before and that the post is to have. */
  mediaIds(): string[] {
    return this.media.filter((file) => !file.leave_out).map(({ id }) => id);
  }

  /** The poll; undefined for a form without options. */
  wantedPoll(): PollBody | undefined {
    return (this.poll?.options ?? []).length > 0 ? this.poll : undefined;
  }
}

/** `GET /app/compose`: what the form begins with. */
export class ComposeQuery {
  @OptionalId() in_reply_to_id?: string;
  @OptionalId() quote_id?: string;
  @OptionalText({ max: TEXT_LENGTH }) text = '';
  @OptionalText({ max: WORD_LENGTH }) visibility = '';
  /** The handle of an account to write to. */
  @OptionalText({ max: WORD_LENGTH }) to = '';
}

/** `POST /app/posts/:id/delete`. */
export class DeleteBody {
  /** `delete`, or `redraft` to write the post again. */
  @OptionalText({ max: WORD_LENGTH }) action = 'delete';
}

/** A text with the line ends that apps send; forms send others. */
export function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
