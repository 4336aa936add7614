import { ForwardOnly } from '../forward-only.js';

const HOST = "split_part(split_part(c.url, '/', 3), ':', 1)";

/**
 * Fills the accounts of earlier cards, which show them in place of the page's own words, and finds the cards that name an
 * account. Where the link lies on no domain of the account, it was a redirect or the page's own words: these stay as they are.
 */
export class CardAuthorsIndex1764000333001 extends ForwardOnly {
  readonly name = 'CardAuthorsIndex1764000333001';
  protected readonly statements = `
    update cards c set author_id = a.id, author_host = ${HOST},
        author = case when a.deactivated_at is null then jsonb_build_object(
          'author_name', coalesce(nullif(a.display_name, ''), a.nickname), 'author_url', coalesce(a.url, a.ap_id)) end,
        preview = c.preview || '{"author_name":"","author_url":""}'
      from accounts a
      where c.preview->>'author_url' = coalesce(a.url, a.ap_id)
        and exists (select from unnest(a.attribution_domains) d where right('.' || ${HOST}, length(d) + 1) = '.' || d);
    create index cards_author on cards (author_id, id) where author_id is not null;`;
}
