import { BooleanLike, DurationSeconds, OptionalText, PageQuery, RequiredText } from '../../common/index.js';

const MAX_ADDRESS_LENGTH = 2048;
const MAX_DOMAIN_LENGTH = 512;
const MAX_NOTE_LENGTH = 2000;

export class RelatedAccountsDto extends PageQuery {
  @BooleanLike() with_relationships = false;
}

export class FollowDto {
  @BooleanLike() reblogs?: boolean;
  @BooleanLike() notify?: boolean;
}

export class FollowUriDto {
  /** A handle or an address. */
  @RequiredText({ max: MAX_ADDRESS_LENGTH }) uri: string;
}

export class BlockDto {
  /** Seconds; 0 or nothing is for ever. */
  @DurationSeconds() duration?: number;
  @DurationSeconds() expires_in?: number;
}

export class MuteDto extends BlockDto {
  @BooleanLike() notifications = true;
}

export class DomainDto {
  @RequiredText({ max: MAX_DOMAIN_LENGTH }) domain: string;
}

export class NoteDto {
  /** Empty takes the note away. */
  @OptionalText({ max: MAX_NOTE_LENGTH }) comment = '';
}
