import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';
import type { AccountCounts } from '../model/account.rows.js';
import { ACCOUNT_TABLES, COUNT_COLUMNS, IS_ACTIVE } from '../model/account.sql.js';
import { isFollowed, mutes } from '../model/relations.sql.js';

/** A day of any year. */
export interface DayOfYear {
  readonly day: number;
  readonly month: number;
}

const MOST = 200;

// Index: accounts_birthdays, then follows_pair and mutes_pair for each account with that birthday.
const followedOn = sql<AccountCounts>(
  'accounts.followed_birthdays',
  `select ${COUNT_COLUMNS} from ${ACCOUNT_TABLES}
   where a.show_birthday and a.birthday is not null
     and extract(month from a.birthday) = $2::numeric and extract(day from a.birthday) = $3::numeric and ${IS_ACTIVE}
     and ${isFollowed('a.id')}
     and not ${mutes('$1', 'a.id')}
   order by a.id limit ${MOST}`,
);

/** Reads of birthdays. */
@Injectable()
export class BirthdayRepository {
  constructor(private readonly db: Database) {}

  /** Active accounts that the viewer follows and has not muted and that show this birthday: at most 200. */
  followedOn(viewerId: string, { day, month }: DayOfYear): Promise<AccountCounts[]> {
    return this.db.rows(followedOn, [viewerId, month, day]);
  }
}
