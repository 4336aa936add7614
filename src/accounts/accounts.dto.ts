import { BooleanLike, IdList, RequiredText } from '../common/index.js';

const MAX_HANDLE_LENGTH = 512;
const MAX_ACCOUNTS = 40;

export class ShowAccountQuery {
  @BooleanLike() with_relationships = false;
}

export class LookUpQuery {
  @RequiredText({ max: MAX_HANDLE_LENGTH }) acct: string;
}

/** More ids than a page has entries are refused. */
export class AccountsQuery {
  @IdList({ max: MAX_ACCOUNTS }) id: string[] = [];
}

export class RelationshipsQuery {
  @IdList() id: string[] = [];
  /** Whether deactivated accounts are looked up too. */
  @BooleanLike() with_suspended = false;
}

export class FamiliarFollowersQuery {
  @IdList({ max: MAX_ACCOUNTS }) id: string[] = [];
}
