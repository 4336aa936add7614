import {
  BooleanLike,
  DurationSeconds,
  OptionalText,
  PageQuery,
  requireLanguageTag,
  RequiredText,
  TextList,
  unique,
} from '../../common/index.js';
import type { FollowOptions } from './follow.repository.js';

const MAX_ADDRESS_LENGTH = 2048;
const MAX_DOMAIN_LENGTH = 512;
const MAX_NOTE_LENGTH = 2000;

export class RelatedAccountsQuery extends PageQuery {
  @BooleanLike() with_relationships = false;
}

export class FollowBody {
  @BooleanLike() reblogs?: boolean;
  @BooleanLike() notify?: boolean;
  /** The languages of the posts that the home timeline shows; an empty list: all. */
  @TextList() languages?: string[];

  /** @throws Unprocessable for what is no language tag */
  options(): FollowOptions {
    const { reblogs, notify, languages } = this;
    return { reblogs, notify, languages: languages && unique(languages.map(requireLanguageTag)) };
  }
}

export class FollowUriBody {
  /** A handle or an address. */
  @RequiredText({ max: MAX_ADDRESS_LENGTH }) uri: string;
}

export class BlockBody {
  /** Seconds; 0 or absent means no end. */
  @DurationSeconds() duration?: number;
  @DurationSeconds() expires_in?: number;
}

export class MuteBody extends BlockBody {
  @BooleanLike() notifications = true;
}

export class DomainBody {
  @RequiredText({ max: MAX_DOMAIN_LENGTH }) domain: string;
}

export class NoteBody {
  /** Empty removes the note. */
  @OptionalText({ max: MAX_NOTE_LENGTH }) comment = '';
}
