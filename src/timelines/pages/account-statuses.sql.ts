import { fragment, type Keyset, sql, type Statement } from '../../platform/index.js';
import {
  matchesExcludedReplies,
  hiddenAccounts,
  isNotHidden,
  maySee,
  matchesMedia,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  subjectsOfPage,
  matchesTag,
  matchesVisibility,
} from '../../statuses/index.js';
import { statusesOf } from '../../accounts/index.js';
import { EXAMINED, scanOrder } from './status-filters.sql.js';

/** Values of the switch that keeps or drops boosts. */
export const Reblogs = { all: 0, none: 1, only: 2 } as const;

/** The filter's conditions on the post in an entry. Does not check visibility. */
const matchesOptions = (status: string) =>
  fragment`${matchesVisibility(status, '$5')} and ${matchesMedia(status, '$7')} and ${matchesTag(status, '$11')}`;

// $1 viewer, $2 below, $3 above, $4 with_muted, $5 excluded visibilities, $6 author, $7 only_media, $8 boosts, $9
// limit, $10 exclude_replies, $11 tag, $12 offset. Shows the author's posts to every viewer who may see them, despite
// blocks and mutes, but hides boosts of accounts that are hidden from the viewer. Filters rows before any join, since a
// page may read thousands of them. Index: statuses_author.
function page(direction: Keyset['direction']): Statement<PageRow> {
  return sql<PageRow>(
    `timelines.account.${direction}`,
    selectPage(
      '$1',
      fragment`select s.id as feed_id, s.author_id as entry_author_id, ${PAGE_KEYS}
      from (
        select * from statuses s where s.author_id = $6 and s.id < $2 and s.id > $3
        order by s.id ${scanOrder(direction)} limit ${EXAMINED}) s
      join statuses post on post.id = coalesce(s.reblog_of_id, s.id)
      where ($8::int <> ${Reblogs.none} or s.reblog_of_id is null) and ($8::int <> ${Reblogs.only} or s.reblog_of_id is not null)
        and ${matchesExcludedReplies('s', '$10')}
        and (s.reblog_of_id is not null or ${matchesOptions('s')}) and ${maySee('s', '$1')}
        and (s.reblog_of_id is null or ${matchesOptions('post')} and ${maySee('post', '$1')} and ${isNotHidden('post.author_id', hiddenAccounts('$1', '$4'))})
      order by s.id ${scanOrder(direction)} limit $9 offset $12`,
      'page.feed_id desc',
    ),
    { replica: (values, rows) => [statusesOf(String(values[5])), ...subjectsOfPage(values, rows)] }, // $6
  );
}

export const accountPage = { older: page('older'), newer: page('newer') };
