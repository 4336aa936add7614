import { ForwardOnly } from '../forward-only.js';

/**
 * The account that the page of a card names as its author, the host of that page, and what the card shows of the account: what
 * earlier cards show in place of the page's own words. Pages on the account's own server name it in words of their own.
 */
export class CardAuthors1764000333000 extends ForwardOnly {
  readonly name = 'CardAuthors1764000333000';
  protected readonly statements = `
    alter table cards add column author_id text collate "C", add column author_host text, add column author jsonb;
    update cards c set author_id = a.id, author_host = split_part(split_part(c.url, '/', 3), ':', 1),
        author = (select jsonb_build_object('author_name', coalesce(nullif(a.display_name, ''), a.nickname), 'author_url',
            coalesce(a.url, a.ap_id))
          where a.deactivated_at is null and exists (select from unnest(a.attribution_domains) d
            where right('.' || split_part(split_part(c.url, '/', 3), ':', 1), length(d) + 1) = '.' || d)),
        preview = c.preview || '{"author_name":"","author_url":""}'
      from accounts a
      where c.preview->>'author_url' = coalesce(a.url, a.ap_id)
        and split_part(c.url, '/', 3) <> split_part(c.preview->>'author_url', '/', 3);`;
}
