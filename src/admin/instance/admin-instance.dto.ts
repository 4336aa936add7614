import {
  BooleanLike,
  EmptyToNull,
  FilePart,
  IntLike,
  Invalid,
  momentOf,
  OptionalText,
  PageNumber,
  PageOffset,
  phrase,
  RequiredText,
  type UploadedFile,
} from '../../common/index.js';
import type { AnnouncementDraft } from '../../instance/index.js';

const MAX_RULE = 5_000;
const MAX_PRIORITY = 1_000_000;
const MAX_ANNOUNCEMENT = 20_000;
const MAX_TIME = 64;
const MOST_ANNOUNCEMENTS = 100;
const MAX_HOST = 300;

class RuleDetails {
  @OptionalText({ max: MAX_RULE }) hint?: string;
  @IntLike({ min: -MAX_PRIORITY, max: MAX_PRIORITY }) priority?: number;
}

export class NewRuleBody extends RuleDetails {
  @RequiredText({ max: MAX_RULE }) text: string;
}

export class RuleChangesBody extends RuleDetails {
  @OptionalText({ max: MAX_RULE }) text?: string;
}

export class AdminAnnouncementsQuery {
  @PageOffset() offset = 0;
  @PageNumber({ max: MOST_ANNOUNCEMENTS }) limit = MOST_ANNOUNCEMENTS;
}

class AnnouncementDetails {
  /** ISO 8601; null: at once. */
  @EmptyToNull({ max: MAX_TIME }) starts_at?: string | null;
  /** ISO 8601; null: never. */
  @EmptyToNull({ max: MAX_TIME }) ends_at?: string | null;
  @BooleanLike() all_day?: boolean;

  get times(): AnnouncementDraft {
    const startsAt = timeOf('starts_at', this.starts_at);
    return { startsAt, endsAt: timeOf('ends_at', this.ends_at), allDay: this.all_day };
  }
}

export class NewAnnouncementBody extends AnnouncementDetails {
  @RequiredText({ max: MAX_ANNOUNCEMENT }) content: string;
}

export class AnnouncementChangesBody extends AnnouncementDetails {
  @OptionalText({ max: MAX_ANNOUNCEMENT }) content?: string;
}

export class StatsQuery {
  /** A host without protocol. */
  @OptionalText({ max: MAX_HOST }) instance = '';
}

export class InstanceDocumentBody {
  @FilePart() file?: UploadedFile | null;
}

function timeOf(name: string, text: string | null | undefined): Date | null | undefined {
  if (text === undefined || text === null) return text;
  const time = momentOf(text);
  if (!time) throw new Invalid(phrase('{field} must be a time', { field: name }));
  return time;
}
