import {
  BooleanLike,
  Describe,
  DurationSeconds,
  OptionalText,
  PageQuery,
  requireLanguageTag,
  RequiredText,
  TextList,
  unique,
  WithRelationships,
} from '../../common/index.js';
import type { FollowOptions } from './follow.repository.js';

const MAX_ADDRESS_LENGTH = 2048;
const MAX_DOMAIN_LENGTH = 512;
const MAX_NOTE_LENGTH = 2000;

export class RelatedAccountsQuery extends PageQuery {
  @WithRelationships()
  with_relationships = false;
}

export class FollowBody {
  @Describe('Whether the home timeline shows reblogs of the account.')
  @BooleanLike()
  reblogs?: boolean;
  @Describe('Whether to notify the caller of each post.')
  @BooleanLike()
  notify?: boolean;
  @Describe('The languages of the posts that the home timeline shows; an empty list: all.')
  @TextList()
  languages?: string[];

  /** @throws Unprocessable for what is no language tag */
  options(): FollowOptions {
    const { reblogs, notify, languages } = this;
    return { reblogs, notify, languages: languages && unique(languages.map(requireLanguageTag)) };
  }
}

export class FollowUriBody {
  @Describe('The handle or the address of the account.')
  @RequiredText({ max: MAX_ADDRESS_LENGTH })
  uri: string;
}

export class BlockBody {
  @Describe('After how many seconds it ends; 0 or absent: never.')
  @DurationSeconds()
  duration?: number;
  @Describe('The older name of `duration`.')
  @DurationSeconds()
  expires_in?: number;
}

export class MuteBody extends BlockBody {
  @Describe('Whether to mute notifications as well.')
  @BooleanLike()
  notifications = true;
}

export class DomainBody {
  @Describe('The domain, such as `example.org`.')
  @RequiredText({ max: MAX_DOMAIN_LENGTH })
  domain: string;
}

export class NoteBody {
  @Describe('The note; an empty one removes it.')
  @OptionalText({ max: MAX_NOTE_LENGTH })
  comment = '';
}
