import { Injectable } from '@nestjs/common';
import { isAccepted, KNOWN_SERVERS, knownAccountsOf } from '../../accounts/index.js';
import { MAX_LISTED } from '../../common/index.js';
import { countUpTo, Database, sql } from '../../platform/index.js';

/**
 * The exchange with some hosts. Each number ends at {@link MAX_LISTED}, and so many accounts at most are looked at. Deleted
 * accounts, which stay stored, are not among them.
 */
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

const knownHosts = sql<{ name: string }>('host-blocks.known', `${KNOWN_SERVERS} order by 1`);

/** SQL: some follows between the accounts `there` and people here: the ids of the latter. */
const followsOf = (there: string, here: string) => `
  select f.id from there t cross join lateral (
    select f.${here} as id from follows f join users u on u.account_id = f.${here}
    where f.${there} = t.id and ${isAccepted('f')} limit ${MAX_LISTED}) f limit ${MAX_LISTED}`;

const exchange = sql<ExchangeRow>(
  'host-blocks.exchange',
  `with there as materialized (
     ${knownAccountsOf('any($1::text[])', MAX_LISTED)}),
   followed as materialized (${followsOf('followee_id', 'follower_id')}),
   followers as materialized (${followsOf('follower_id', 'followee_id')})
   select (select count(*)::int from there) as accounts,
     ${countUpTo(MAX_LISTED, `there t cross join lateral (select from statuses s where s.author_id = t.id limit ${MAX_LISTED}) s`)} as posts,
     (select count(*)::int from followed) as followed,
     (select count(*)::int from followers) as followers,
     ${countUpTo(MAX_LISTED, 'deliveries where host = any($1::text[])')} as deliveries,
     array(select a.nickname from (select id from followed union select id from followers) f
       cross join lateral (select nickname from accounts where id = f.id limit 1) a order by 1 limit 20) as people`,
);

/** Reads what is exchanged with other servers. */
@Injectable()
export class HostBlocksRepository {
  constructor(private readonly db: Database) {}

  /** The names of the servers of all known accounts, with their ports. */
  async knownHosts(): Promise<string[]> {
    return (await this.db.rows(knownHosts)).map(({ name }) => name);
  }

  async exchange(hosts: readonly string[]): Promise<ExchangeRow> {
    const [row] = await this.db.rows(exchange, [hosts]);
    if (!row) throw new Error('A count has one row');
    return row;
  }
}
