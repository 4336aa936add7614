// Previews of linked pages: 100,000 posts, of which every other has a card, 1,000 posts share one card, and 1,000 cards name an account.

export const title = 'Cards';

export const rows = '100,000 posts, 50,000 of them with one of 49,001 cards, which 1,000 posts share at most.';

export const seed = `
  insert into accounts (id, nickname, ap_id) select 'a000001', 'author', 'https://x.test/a';
  insert into statuses (id, author_id, uri, visibility, content_html, local)
  select 's' || lpad(n::text, 6, '0'), 'a000001', 'https://x.test/objects/' || n, 0, '', true from generate_series(1, 100000) n;
  insert into cards (id, url, preview, fetched_at, revision)
  select n, 'https://y.test/' || n, '{"title":"a page"}', now(), 2 from generate_series(1, 49001) n;
  update cards set author_id = 'a000001', author_host = 'y.test', author = '{"author_name":"Ann","author_url":""}' where id <= 1000;
  insert into status_cards select 's' || lpad((2 * n)::text, 6, '0'), greatest(n - 999, 1), 1 from generate_series(1, 50000) n;
  update statuses s set flags = 4 from status_cards k where k.status_id = s.id;
`;

export const plans = [
  { name: 'cards.claim', values: ['https://y.test/4711'] },
  { name: 'cards.attach', values: ['s000001', 4711] },
  { name: 'cards.show', values: ['s000002'] },
  {
    name: 'cards.show_everywhere',
    values: [1, ''],
    note: 'The first of a thousand posts that link to a page.',
    isJob: true,
  },
  { name: 'cards.lock_author', values: ['a000001'] },
  { name: 'cards.save', values: [1, '{"title":"another"}', 'a000001', 'y.test'] },
  {
    name: 'cards.name_author',
    values: ['a000001', '0'],
    note: 'The first of a thousand pages that name an account.',
    isJob: true,
  },
  { name: 'cards.of_status', values: ['s000002'] },
];
