import { Injectable } from '@nestjs/common';
import { Database, fragment, sql, UnitOfWork } from '../../platform/index.js';
import { Pin } from '../model/bookmark.entities.js';
import {
  matchesExcludedReplies,
  matchesMedia,
  PAGE_KEYS,
  type PageRow,
  selectPage,
  matchesTag,
  matchesVisibility,
} from '../model/page.sql.js';
import { maySee, Visibility, type VisibilityName } from '../model/visibility.js';

/** Higher than any setting for the maximum number of pins. */
const LISTED = 100;

/** The filter of pinned posts, as for other posts of the author (spec §4.3). */
export interface PinChoice {
  readonly excludeVisibilities: readonly VisibilityName[];
  readonly onlyMedia: boolean;
  readonly reblogs: 'all' | 'none' | 'only';
  readonly excludeReplies: boolean;
  readonly tagged: string | null;
}

const insert = sql(
  'pins.insert',
  `insert into pins (account_id, status_id)
   select $1, $2 where (select count(*) from pins where account_id = $1) < $3
   on conflict do nothing`,
);

// $1 viewer, $2 author, $3 excluded visibilities, $4 only_media, $5 exclude_replies, $6 tag. Index: pins_account.
const ofAuthor = sql<PageRow>(
  'pins.of_author',
  selectPage(
    '$1',
    fragment`select post.id as feed_id, post.author_id as entry_author_id, pin.created_at as pinned_at, ${PAGE_KEYS}
     from pins pin join statuses post on post.id = pin.status_id
     where pin.account_id = $2 and ${maySee('post')}
       and ${matchesVisibility('post', '$3')} and ${matchesMedia('post', '$4')}
       and ${matchesExcludedReplies('post', '$5')} and ${matchesTag('post', '$6')}
     order by pin.created_at desc limit ${LISTED}`,
    'page.pinned_at desc, page.id desc',
  ),
);

/** All SQL on pins. */
@Injectable()
export class PinRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Returns false when the post is already pinned, or when the maximum is reached. */
  async insert(accountId: string, statusId: string, most: number): Promise<boolean> {
    return (await this.db.run(insert, [accountId, statusId, most])) === 1;
  }

  has(accountId: string, statusId: string): Promise<boolean> {
    return this.uow.manager.existsBy(Pin, { accountId, statusId });
  }

  async remove(accountId: string, statusId: string): Promise<boolean> {
    return (await this.uow.manager.delete(Pin, { accountId, statusId })).affected === 1;
  }

  /** The author's pinned posts that the viewer may see, the latest pin first. */
  ofAuthor(authorId: string, viewerId: string, choice: PinChoice): Promise<PageRow[]> {
    return this.db.rows(ofAuthor, [
      viewerId,
      authorId,
      choice.excludeVisibilities.map((name) => Visibility[name]),
      choice.onlyMedia,
      choice.excludeReplies,
      choice.tagged,
    ]);
  }
}
