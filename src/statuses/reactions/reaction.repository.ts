import { Injectable } from '@nestjs/common';
import { isIdListed } from '../../accounts/index.js';
import type { ListedProfiles } from '../../config/index.js';
import type { ReactionName } from '../../emoji/index.js';
import { Database, fragment, sql } from '../../platform/index.js';
import { hiddenAccounts, isNotHidden } from '../model/page.sql.js';
import { MAX_EMOJI, REACTION_SAMPLE } from '../model/reaction.entity.js';
import { LAST_PICTURE, reactionScale, sampledReactions } from '../model/reaction.sql.js';
import type { ReactionRow } from '../rendering/reaction.render.js';
import { isDeactivated } from '../model/visibility.js';

/** Maximum number of different emoji by one account on one status. */
const MOST_OF_ONE = 20;
/** Maximum number of accounts listed for one emoji. */
const NAMED = 50;
/** Maximum number of accounts listed for one status: many emoji share it. */
const NAMED_OF_STATUS = 1_000;

// $4: whether every account may use the emoji. Other emoji need an existing reaction with the same emoji, or an image
// ($5) from the remote server. $6: the id of its activity. New emoji at the same moment may exceed the maximum of the status by a
// few, which are stored but not shown, and so may emoji of reactions that are not read. Index: reactions_one.
const insert = sql(
  'reactions.insert',
  `with known as materialized (
     select id, name, url from reactions where status_id = $2 order by account_id limit ${REACTION_SAMPLE}),
   used as (select url from known where name = $3 and url is not null order by id desc limit 1)
   insert into reactions (account_id, status_id, name, url, uri)
   select $1, $2, $3, coalesce($5::text, (select url from used)), $6
   where ($4::boolean or $5 is not null or exists (select from used))
     and (select count(*) from reactions where account_id = $1 and status_id = $2) < ${MOST_OF_ONE}
     and (exists (select from known where name = $3) or (select count(distinct name) from known) < ${MAX_EMOJI})
   on conflict do nothing`,
);

const has = sql('reactions.has', `select from reactions where account_id = $1 and status_id = $2 and name = $3`);

const remove = sql('reactions.delete', `delete from reactions where account_id = $1 and status_id = $2 and name = $3`);

const scale = reactionScale('(select reactions from status_stats where status_id = $2)');

// $1 viewer, $2 status, $3 with_muted, $4 one emoji or null, $5 and $6 the listed profiles. Counts as the status does.
const ofStatus = sql<ReactionRow>(
  'reactions.of_status',
  fragment`select r.name, round(count(*) * ${scale})::int as count, bool_or(r.account_id = $1) as me, ${LAST_PICTURE} as url,
     coalesce((array_agg(r.account_id order by r.id) filter (where ${isIdListed('r.account_id', '$5', '$6')}))[1:least(${NAMED}, ${NAMED_OF_STATUS} / least(${MAX_EMOJI}, count(*) over ()))], '{}') as "accountIds"
   from ${sampledReactions('$2', '$1')} r
   where ($4::text is null or r.name = $4) and ${isNotHidden('r.account_id', hiddenAccounts('$1', '$3'))}
     and not ${isDeactivated('r.account_id')}
   group by r.name order by min(r.id) limit ${MAX_EMOJI}`,
);

/** A reaction; `url` is the image of a custom emoji from a remote server, `uri` the id of its activity. */
export interface NewReaction extends ReactionName {
  readonly url?: string;
  readonly uri?: string | null;
}

/** All SQL on reactions, except for rendering statuses. */
@Injectable()
export class ReactionRepository {
  constructor(private readonly db: Database) {}

  /** Returns false for an existing reaction, when the account or the status reached its maximum, and for emoji it may not use. */
  async insert(accountId: string, statusId: string, { name, isOpen, url, uri }: NewReaction): Promise<boolean> {
    return (await this.db.run(insert, [accountId, statusId, name, isOpen, url ?? null, uri ?? null])) === 1;
  }

  async has(accountId: string, statusId: string, name: string): Promise<boolean> {
    return (await this.db.run(has, [accountId, statusId, name])) === 1;
  }

  async remove(accountId: string, statusId: string, name: string): Promise<boolean> {
    return (await this.db.run(remove, [accountId, statusId, name])) === 1;
  }

  /**
   * In the order of first use, without accounts hidden from the viewer; of one emoji if it is given. Of very many, a sample.
   * Names only accounts with listed profiles, and counts all.
   */
  ofStatus(
    statusId: string,
    viewerId: string,
    withMuted: boolean,
    name: string | null,
    { here, elsewhere }: ListedProfiles,
  ): Promise<ReactionRow[]> {
    return this.db.rows(ofStatus, [viewerId, statusId, withMuted, name, here, elsewhere]);
  }
}
