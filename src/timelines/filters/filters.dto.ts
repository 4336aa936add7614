import { applyDecorators } from '@nestjs/common';
import {
  BooleanLike,
  Describe,
  DurationOrNever,
  Invalid,
  NestedList,
  OneOf,
  OptionalId,
  OptionalText,
  phrase,
  RequiredText,
  TextList,
  Unprocessable,
} from '../../common/index.js';
import { FILTER_ACTIONS, FILTER_PLACES, type FilterAction, type FilterPlace } from '../../statuses/index.js';
import type {
  FilterChanges,
  KeywordChange,
  NewFilterOptions,
  FilterV1Changes,
  FilterV1Options,
} from './filters.service.js';

const TITLE_LENGTH = 256;
const KEYWORD_LENGTH = 512;
/** Higher than the limits of the service, which fail with their own error. */
const KEYWORDS = 1_000;

const WholeWord = () => applyDecorators(Describe('Whether only whole words match.'), BooleanLike());
const ExpiresIn = () =>
  applyDecorators(Describe('After how many seconds it ends; 0 or absent: never.'), DurationOrNever());
const contextList = () => TextList({ max: 20, maxLength: 50 });

/** @throws Unprocessable when no place is given, and for unknown places */
function placesOf(names: readonly string[]): FilterPlace[] {
  const known = FILTER_PLACES.filter((place) => names.includes(place));
  if (known.length === 0 || known.length < new Set(names).size) {
    throw new Unprocessable(phrase('context must hold some of {words}', { words: FILTER_PLACES.join(', ') }));
  }
  return known;
}

function requiredPlaces(names: readonly string[] | undefined): FilterPlace[] {
  if (names === undefined) throw new Invalid('context is missing');
  return placesOf(names);
}

/** A word of a filter, among the filter's own fields. */
export class KeywordAttributesBody {
  @Describe('The id of an existing word.')
  @OptionalId()
  id?: string;
  @Describe('The word or phrase.')
  @OptionalText({ max: KEYWORD_LENGTH })
  keyword?: string;
  @WholeWord()
  whole_word?: boolean;
  @Describe('Whether to remove the word.')
  @BooleanLike()
  _destroy?: boolean;

  change(): KeywordChange {
    return { id: this.id, keyword: this.keyword, wholeWord: this.whole_word, isRemoved: this._destroy ?? false };
  }
}

class FilterBody {
  @Describe('Where the filter works: `home`, `notifications`, `public`, `thread` and `account`.')
  @contextList()
  context?: string[];
  @Describe('What happens to a match: it is hidden behind a warning, blurred, or left out.')
  @OneOf(FILTER_ACTIONS)
  filter_action?: FilterAction;
  @ExpiresIn()
  expires_in?: number | null;
  @Describe('The words to add, change or remove.')
  @NestedList(() => KeywordAttributesBody, { max: KEYWORDS })
  keywords_attributes?: KeywordAttributesBody[];
}

/** `POST /api/v2/filters` (reference). */
export class NewFilterBody extends FilterBody {
  @Describe('The name of the filter.')
  @RequiredText({ max: TITLE_LENGTH })
  title: string;

  options(): NewFilterOptions {
    return {
      title: this.title,
      contexts: requiredPlaces(this.context),
      action: this.filter_action ?? 'warn',
      expiresIn: this.expires_in ?? null,
      keywords: (this.keywords_attributes ?? []).map((keyword) => keyword.change()),
    };
  }
}

/** `PUT /api/v2/filters/:id`: omitted fields stay unchanged. */
export class FilterChangesBody extends FilterBody {
  @Describe('The name of the filter.')
  @OptionalText({ max: TITLE_LENGTH })
  title?: string;

  changes(): FilterChanges {
    return {
      title: this.title,
      contexts: this.context && placesOf(this.context),
      action: this.filter_action,
      expiresIn: this.expires_in,
      keywords: (this.keywords_attributes ?? []).map((keyword) => keyword.change()),
    };
  }
}

export class NewKeywordBody {
  @Describe('The word or phrase.')
  @RequiredText({ max: KEYWORD_LENGTH })
  keyword: string;
  @WholeWord()
  whole_word = true;
}

export class KeywordChangesBody {
  @Describe('The word or phrase.')
  @OptionalText({ max: KEYWORD_LENGTH })
  keyword?: string;
  @WholeWord()
  whole_word?: boolean;
}

export class FilterStatusBody {
  @Describe('The id of the post.')
  @OptionalId()
  status_id?: string;

  /** @throws Invalid when it is not given */
  required(): string {
    if (this.status_id === undefined) throw new Invalid('status_id is missing');
    return this.status_id;
  }
}

class FilterV1Body {
  @Describe('Where the filter works: `home`, `notifications`, `public`, `thread` and `account`.')
  @contextList()
  context?: string[];
  @Describe('Whether matching posts are left out instead of hidden behind a warning.')
  @BooleanLike()
  irreversible?: boolean;
  @WholeWord()
  whole_word?: boolean;
  @ExpiresIn()
  expires_in?: number | null;

  protected choices(): Pick<FilterV1Options, 'irreversible' | 'wholeWord' | 'expiresIn'> {
    return { irreversible: this.irreversible, wholeWord: this.whole_word, expiresIn: this.expires_in };
  }
}

/** `POST /api/v1/filters` (reference, deprecated there). */
export class NewFilterV1Body extends FilterV1Body {
  @Describe('The word or phrase.')
  @RequiredText({ max: KEYWORD_LENGTH })
  phrase: string;

  options(): FilterV1Options {
    return { ...this.choices(), phrase: this.phrase, contexts: requiredPlaces(this.context) };
  }
}

/** `PUT /api/v1/filters/:id`: omitted fields stay unchanged. */
export class FilterV1ChangesBody extends FilterV1Body {
  @Describe('The word or phrase.')
  @OptionalText({ max: KEYWORD_LENGTH })
  phrase?: string;

  changes(): FilterV1Changes {
    return { ...this.choices(), phrase: this.phrase, contexts: this.context && placesOf(this.context) };
  }
}
