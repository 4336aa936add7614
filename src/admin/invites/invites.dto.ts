import { IntLike, OptionalText, RequiredText } from '../../common/index.js';

const MAX_LENGTH = 1_000;
const MOST_USES = 1_000_000;

export class NewInviteBody {
  /** How many people it lets in; without, and without an end, one. */
  @IntLike({ min: 1, max: MOST_USES }) max_use?: number;
  /** The last day, `YYYY-MM-DD`. */
  @OptionalText({ max: MAX_LENGTH }) expires_at?: string;
}

export class InviteTokenBody {
  @RequiredText({ max: MAX_LENGTH }) token: string;
}

export class InviteMailBody {
  @RequiredText({ max: MAX_LENGTH }) email: string;
  /** The person's name, for the letter. */
  @OptionalText({ max: MAX_LENGTH }) name = '';
}
