import { Injectable } from '@nestjs/common';
import { isAccepted, isOfServer, serverNames } from '../../accounts/index.js';
import { Database, sql } from '../../platform/index.js';

/** The exchange with some hosts. */
export interface ExchangeRow {
  /** Known accounts. */
  readonly accounts: number;
  /** Their posts that are stored here. */
  readonly posts: number;
  /** Follows of them by people here. */
  readonly followed: number;
  /** Follows of people here by them. */
  readonly followers: number;
  /** Activities that wait to be sent there. */
  readonly deliveries: number;
  /** Some people here who follow or are followed: nicknames. */
  readonly people: readonly string[];
}

const knownHosts = sql<{ host: string }>(
  'host-blocks.known',
  `select distinct host from accounts a cross join unnest(${serverNames('a')}) host where host is not null order by 1`,
);

const exchange = sql<ExchangeRow>(
  'host-blocks.exchange',
  `with there as materialized (
     select a.id from accounts a where ${isOfServer('a', 'any($1::text[])')}),
   followed as (
     select f.follower_id as id from follows f join there t on t.id = f.followee_id
     join users u on u.account_id = f.follower_id where ${isAccepted('f')}),
   followers as (
     select f.followee_id as id from follows f join there t on t.id = f.follower_id
     join users u on u.account_id = f.followee_id where ${isAccepted('f')})
   select (select count(*)::int from there) as accounts,
     (select count(*)::int from statuses s join there t on t.id = s.author_id) as posts,
     (select count(*)::int from followed) as followed,
     (select count(*)::int from followers) as followers,
     (select count(*)::int from deliveries where host = any($1::text[])) as deliveries,
     array(select a.nickname from accounts a
       where a.id in (select id from followed union select id from followers) order by 1 limit 20) as people`,
);

/** Reads what is exchanged with other servers. */
@Injectable()
export class HostBlocksRepository {
  constructor(private readonly db: Database) {}

  /** The names of the servers of all known accounts, with their ports. */
  async knownHosts(): Promise<string[]> {
    return (await this.db.rows(knownHosts)).map(({ host }) => host);
  }

  async exchange(hosts: readonly string[]): Promise<ExchangeRow> {
    const [row] = await this.db.rows(exchange, [hosts]);
    if (!row) throw new Error('A count has one row');
    return row;
  }
}
