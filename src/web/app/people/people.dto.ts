import {
  BooleanLike,
  DurationSeconds,
  IdList,
  OneOf,
  OptionalId,
  OptionalText,
  PageQuery,
} from '../../../common/index.js';
import { REPORT_CATEGORIES, type ReportCategory } from '../../../admin/index.js';

const MAX_NOTE_LENGTH = 2_000;
/** The service checks the length of a comment, so that the page keeps it. */
const ANY_LENGTH = 1_048_576;

/** The tabs of a profile. */
export const PERSON_TABS = ['posts', 'replies', 'media'] as const;
export type PersonTab = (typeof PERSON_TABS)[number];

export class PersonQuery extends PageQuery {
  @OneOf(PERSON_TABS) tab: PersonTab = 'posts';
}

/** Omitted options of a follow stay unchanged. */
export class FollowFormBody {
  @BooleanLike() reblogs?: boolean;
  @BooleanLike() notify?: boolean;
}

/** What the buttons and small forms of a profile send. */
export class PersonActionFormBody {
  /** Seconds; 0 means no end. */
  @DurationSeconds() duration?: number;
  /** Whether a mute hides notifications too. */
  @BooleanLike() notifications = true;
  /** Empty removes the private note. */
  @OptionalText({ max: MAX_NOTE_LENGTH }) comment = '';
  /** The list to add to or to remove from. */
  @OptionalText({ max: 20 }) list = '';
}

export class ReportQuery {
  /** The post that led to the report. */
  @OptionalId() status_id?: string;
  /** Whether the report was just sent. */
  @BooleanLike() sent = false;
}

export class ReportFormBody {
  @OptionalId() status_id?: string;
  @IdList() status_ids: string[] = [];
  @OptionalText({ max: ANY_LENGTH }) comment = '';
  @BooleanLike() forward = false;
  @IdList() rule_ids: string[] = [];
  @OneOf(REPORT_CATEGORIES) category: ReportCategory = 'other';
}
