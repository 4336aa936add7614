import { ForwardOnly } from '../forward-only.js';

/**
 * The numbers of a post no longer count followers-only replies and quotes, nor local-only ones of a post that others may
 * read: a number must not stand above an empty thread.
 */
export class OpenCounts1764000150000 extends ForwardOnly {
  readonly name = 'OpenCounts1764000150000';
  protected readonly statements = `
    update status_stats t set replies = greatest(t.replies - hidden.replies, 0), quotes = greatest(t.quotes - hidden.quotes, 0)
    from (
      select post.id, (count(*) filter (where s.in_reply_to_id = post.id))::int as replies,
        (count(*) filter (where s.quote_of_id = post.id))::int as quotes
      from statuses s join statuses post on post.id in (s.in_reply_to_id, s.quote_of_id)
      where s.visibility = 2 or s.visibility = 4 and post.visibility <> 4
      group by post.id) hidden
    where hidden.id = t.status_id;
  `;
}
