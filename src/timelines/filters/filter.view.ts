import type { FilterResultJson } from '../../statuses/index.js';
import type { FilterRow, KeywordRow } from './filter.repository.js';
import type { FilterJson, FilterV1Json } from './filter.shape.js';

/** A filter as part of other entities: without its words and posts. */
export function filterSummary({ id, title, contexts, expiresAt, action }: FilterRow): FilterResultJson['filter'] {
  return { id, title, context: [...contexts], expires_at: expiresAt, filter_action: action };
}

/** A filter with its words and posts (reference Filter). */
export function filterView(filter: FilterRow): FilterJson {
  return { ...filterSummary(filter), keywords: [...filter.keywords], statuses: [...filter.statuses] };
}

/** One word of a filter, which API v1 shows as a filter of its own. */
export function filterV1View({ contexts, action, expiresAt }: FilterRow, word: KeywordRow): FilterV1Json {
  const { id, keyword, whole_word } = word;
  return {
    id,
    phrase: keyword,
    context: [...contexts],
    whole_word,
    expires_at: expiresAt,
    irreversible: action === 'hide',
  };
}
