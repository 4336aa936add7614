import { Describe, IntLike, OptionalText, RequiredText, Trimmed } from '../../common/index.js';

const MAX_LENGTH = 1_000;
const MOST_USES = 1_000_000;

export class NewInviteBody {
  @Describe('How many accounts it admits; without this and without an end: one.')
  @IntLike({ min: 1, max: MOST_USES })
  max_use?: number;
  @Describe('The last day, `YYYY-MM-DD`.')
  @OptionalText({ max: MAX_LENGTH })
  expires_at?: string;
}

export class InviteTokenBody {
  @Describe('The token of the invite.')
  @RequiredText({ max: MAX_LENGTH })
  token: string;
}

export class InviteMailBody {
  @Describe('The address of the recipient.')
  @RequiredText({ max: MAX_LENGTH })
  @Trimmed()
  email: string;
  @Describe('The name of the recipient, for the letter.')
  @OptionalText({ max: MAX_LENGTH })
  name = '';
}
