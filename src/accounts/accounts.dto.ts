import { BooleanLike, IdList, RequiredText } from '../common/index.js';

const MAX_HANDLE_LENGTH = 512;
const MAX_FAMILIAR = 40;

export class ShowAccountQuery {
  @BooleanLike() with_relationships = false;
}

export class LookUpQuery {
  @RequiredText({ max: MAX_HANDLE_LENGTH }) acct: string;
}

export class RelationshipsQuery {
  @IdList() id: string[] = [];
}

export class FamiliarFollowersQuery {
  @IdList({ max: MAX_FAMILIAR }) id: string[] = [];
}
