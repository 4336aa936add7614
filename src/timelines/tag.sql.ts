import { gates, hiddenAccounts, isShown, PAGE_KEYS, type PageRow, selectPage, Visibility } from '../statuses/index.js';
import { EXAMINED, LIMIT, postSuits, scanOrder } from './filters.js';
import { perDirection } from './pull.sql.js';

/** How many of the names $11, which are all different, a post carries has to be their number. */
const carriesAll = `(cardinality($11::text[]) = 0 or cardinality($11) = (
    select count(*) from status_hashtags t where t.status_id = o.id and t.hashtag_id in (select id from required)))`;
const carriesNone = `(cardinality($12::text[]) = 0 or not coalesce((
    select true from status_hashtags t where t.status_id = o.id and t.hashtag_id in (select id from unwanted) limit 1), false))`;

const tags = (name: string, names: string) =>
  `${name} as materialized (select id from hashtags where name = any(${names}::text[]))`;

// $10 are the names of which a post has to carry one, $11 those of which it has to carry each, $12 those it must not carry.
// Each tag is looked at alone, since only then do its posts come in order: of several each has a share of what is examined.
// Index: status_hashtags_tag.
export const tagPage = perDirection<PageRow>(
  'tag',
  (direction) => `with ${hiddenAccounts('$1', '$4')}, ${gates('$1')},
    ${tags('wanted', '$10')}, ${tags('required', '$11')}, ${tags('unwanted', '$12')},
  p as materialized (
    select distinct on (e.feed_id) e.* from wanted cross join lateral (
      select o.id as feed_id, o.author_id as w_author_id, ${PAGE_KEYS} from (
        select s.* from status_hashtags t join statuses s on s.id = t.status_id
        where t.hashtag_id = wanted.id and t.status_id < $2 and t.status_id > $3
        order by t.status_id ${scanOrder(direction)} limit (select ${EXAMINED} / greatest(count(*), 1) from wanted)) o
      where o.visibility = ${Visibility.public} and ${isShown('o.author_id')} and ${postSuits('o.author_id')}
        and ${carriesAll} and ${carriesNone}
      order by o.id ${scanOrder(direction)} limit ${LIMIT}) e
    order by e.feed_id ${scanOrder(direction)} limit ${LIMIT})
  ${selectPage('$1')} order by p.feed_id desc`,
);
