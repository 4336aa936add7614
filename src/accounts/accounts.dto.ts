import { BooleanLike, Describe, IdList, RequiredText, WithRelationships } from '../common/index.js';

const MAX_HANDLE_LENGTH = 512;
const MAX_ACCOUNTS = 40;

export class ShowAccountQuery {
  @WithRelationships()
  with_relationships = false;
}

export class LookUpQuery {
  @Describe('The handle, with or without the domain of this server.')
  @RequiredText({ max: MAX_HANDLE_LENGTH })
  acct: string;
}

/** More ids than a page has entries are refused. */
export class AccountsQuery {
  @Describe('The ids of the accounts.')
  @IdList({ max: MAX_ACCOUNTS })
  id: string[] = [];
}

export class RelationshipsQuery {
  @Describe('The ids of the accounts.')
  @IdList()
  id: string[] = [];
  @Describe('Whether to include deactivated accounts.')
  @BooleanLike()
  with_suspended = false;
}

export class FamiliarFollowersQuery {
  @Describe('The ids of the accounts.')
  @IdList({ max: MAX_ACCOUNTS })
  id: string[] = [];
}
