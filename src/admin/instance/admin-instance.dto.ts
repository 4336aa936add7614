import {
  BooleanLike,
  Describe,
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
  @Describe('A longer explanation.')
  @OptionalText({ max: MAX_RULE })
  hint?: string;
  @Describe('The place among the rules.')
  @IntLike({ min: -MAX_PRIORITY, max: MAX_PRIORITY })
  priority?: number;
}

export class NewRuleBody extends RuleDetails {
  @Describe('The rule itself.')
  @RequiredText({ max: MAX_RULE })
  text: string;
}

export class RuleChangesBody extends RuleDetails {
  @Describe('The rule itself.')
  @OptionalText({ max: MAX_RULE })
  text?: string;
}

export class AdminAnnouncementsQuery {
  @PageOffset()
  offset = 0;
  @Describe('The most entries of the answer.')
  @PageNumber({ max: MOST_ANNOUNCEMENTS })
  limit = MOST_ANNOUNCEMENTS;
}

class AnnouncementDetails {
  @Describe('When it begins (ISO 8601); null: at once.')
  @EmptyToNull({ max: MAX_TIME })
  starts_at?: string | null;
  @Describe('When it ends (ISO 8601); null: never.')
  @EmptyToNull({ max: MAX_TIME })
  ends_at?: string | null;
  @Describe('Whether the times name whole days.')
  @BooleanLike()
  all_day?: boolean;

  get times(): AnnouncementDraft {
    const startsAt = timeOf('starts_at', this.starts_at);
    return { startsAt, endsAt: timeOf('ends_at', this.ends_at), allDay: this.all_day };
  }
}

export class NewAnnouncementBody extends AnnouncementDetails {
  @Describe('The text.')
  @RequiredText({ max: MAX_ANNOUNCEMENT })
  content: string;
}

export class AnnouncementChangesBody extends AnnouncementDetails {
  @Describe('The text.')
  @OptionalText({ max: MAX_ANNOUNCEMENT })
  content?: string;
}

export class StatsQuery {
  @Describe('The domain of a server; absent: all servers.')
  @OptionalText({ max: MAX_HOST })
  instance = '';
}

export class InstanceDocumentBody {
  @Describe('The HTML file.')
  @FilePart()
  file?: UploadedFile | null;
}

function timeOf(name: string, text: string | null | undefined): Date | null | undefined {
  if (text === undefined || text === null) return text;
  const time = momentOf(text);
  if (!time) throw new Invalid(phrase('{field} must be a time', { field: name }));
  return time;
}
