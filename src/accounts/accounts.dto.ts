import { BooleanLike, IdList, RequiredText } from '../common/index.js';

const MAX_HANDLE_LENGTH = 512;
const MAX_FAMILIAR = 40;

export class ShowAccountDto {
  @BooleanLike() with_relationships = false;
}

export class LookUpDto {
  @RequiredText({ max: MAX_HANDLE_LENGTH }) acct: string;
}

export class RelationshipsDto {
  @IdList() id: string[] = [];
}

export class FamiliarFollowersDto {
  @IdList({ max: MAX_FAMILIAR }) id: string[] = [];
}
