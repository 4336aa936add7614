import { Injectable } from '@nestjs/common';
import { isAcceptedRemote, isHostApart, serverNames } from '../../accounts/index.js';
import { currentCause, Database, purge, sql } from '../../platform/index.js';
import type { ReadingServer } from '../documents/document-readers.repository.js';
import type { Activity } from '../render/activities.js';
import { isRetraction } from '../wire/activity.js';

/** The accounts that an activity is for. Local ones among them get nothing: they read the database. */
export interface Audience {
  /** The accounts whose followers it is for. */
  readonly followersOf?: readonly string[];
  /** The accounts that it follows or asked to. */
  readonly followeesOf?: string | undefined;
  readonly accountIds?: readonly string[] | undefined;
  /** Inboxes of actors that are not known yet. */
  readonly inboxes?: readonly string[] | undefined;
  /** The relays that pass activities on. */
  readonly relays?: boolean | undefined;
  /** The relays that follow this server. */
  readonly relayFollowers?: boolean | undefined;
  /** Servers that have what it is about: each gets it once, for an account of it or where its own actor takes activities. */
  readonly servers?: readonly ReadingServer[];
  /** Hosts that have it already. */
  readonly except?: readonly string[];
  /** Whether each server gets it once for all its accounts; otherwise only servers with several of them. */
  readonly shared: boolean;
}

export interface NewActivity {
  readonly activity: Activity;
  /** The acting account; null for the server itself. */
  readonly accountId: string | null;
  readonly subject: string | null;
  /** See {@link Delivery.object}. */
  readonly object: string;
  /** Whether nothing is sent when the account is deactivated, unless it is a retraction ({@link isRetraction}). */
  readonly needsActiveAccount: boolean;
  /** Whether its deliveries wait until this server federates again: without an end until then. */
  readonly waits: boolean;
}

/** A host that has new deliveries. */
export interface QueuedHost {
  readonly host: string;
  /** Whether nothing is sent to it before its next probe. */
  readonly failing: boolean;
  /** Whether it was ever reached. */
  readonly proven: boolean;
}

/** SQL: whether a relay `r` gets public activities as they are. */
export const PASSES_ON = `r.style = 'mastodon' and r.state = 'accepted'`;

const lock = sql('outbox.lock', `select pg_advisory_xact_lock(hashtextextended('outbox ' || $1, 0))`);

const REACHED = `a.inbox_url is not null and a.deactivated_at is null`;

/** SQL: an account of a server, found by its first row however many there are. Index: accounts_domain, accounts_hosts_apart. */
const anyOf = (host: string): string => `
     (select a.id from accounts a where a.domain = ${host} and ${REACHED} limit 1)
     union all (select a.id from accounts a where ${isHostApart('a', host)} and ${REACHED} limit 1) limit 1`;

/** SQL: the host of an inbox, with its port; null for what is no address of HTTP. */
const hostOf = (inbox: string): string =>
  `case when starts_with(${inbox}, 'https://') or starts_with(${inbox}, 'http://')
     then nullif(lower(split_part(split_part(split_part(${inbox}, '/', 3), '?', 1), '#', 1)), '') end`;

/**
 * SQL: whether an array of entries in lower case names a host, as `listsHost`. The entries are hashed, and asked for
 * the host and its domains, with its port and without.
 */
export function isListedHost(host: string, entries: string): string {
  const names = `array[lower(${host})] || case when strpos(${host}, ':') > 0 then array[regexp_replace(lower(${host}), ':[0-9]+$', '')] end`;
  const labels = `string_to_array(each.name, '.')`;
  return `exists (select from unnest(${names}) each (name) cross join generate_series(0, cardinality(${labels})) at
     where (case when at = 0 then each.name else '*.' || array_to_string((${labels})[at:], '.') end in (select unnest(${entries}))) is true)`;
}

// The one place that decides who gets an activity. It reads no local follower. An array of the audience lets PostgreSQL read
// accounts in the order of their index; a join would look up each. What ends something ($21) also goes to the
// servers of accounts that are deactivated or deleted here, where others may read what ends. `offset 0` keeps it from asking
// for the host of an inbox in each condition anew. Index: follows_remote_followers, follows_pair, accounts_pkey, hosts_pkey.
const insert = sql<QueuedHost>(
  'outbox.insert',
  `with audience(id) as (
     select f.follower_id from follows f where f.followee_id = any($7::text[]) and ${isAcceptedRemote('f')}
     union all select f.followee_id from follows f where f.follower_id = $8
     union all select unnest($9::text[])
     union all select rf.account_id from relay_followers rf where $16::boolean
     union all select known.id from unnest($17::text[]) server (host) cross join lateral (${anyOf('server.host')}) known
   ),
   inboxes as (
     select case when $10::boolean or count(*) > 1 then reached.shared else min(reached.inbox_url) end as inbox
     from (
       select a.inbox_url collate "C" as inbox_url, coalesce(a.shared_inbox_url, a.inbox_url) collate "C" as shared
       from accounts a
       where a.id = any(array(select id from audience)) and a.domain is not null and a.inbox_url is not null
         and (a.deactivated_at is null or $21::boolean and not a.suspended_by_server)
         and (cardinality($13::text[]) = 0 or lower(split_part(a.inbox_url, '/', 3)) = all(array_remove(${serverNames('a')}, null))
           or not exists (select from unnest(${serverNames('a')}) name where ${isListedHost('name', '$13::text[]')}))
     ) reached group by reached.shared
     union select unnest($14::text[])
     union select server.inbox from unnest($17::text[], $18::text[]) server (host, inbox)
     where server.inbox is not null and not exists (${anyOf('server.host')})
     union select r.inbox from relays r where $15::boolean and ${PASSES_ON}
   ),
   targets as materialized (
     select i.inbox, i.host, h.state = 'failing' as failing, h.reached_at is not null as proven
     from (select inbox, ${hostOf('inbox')} as host from inboxes offset 0) i
       left join hosts h on h.host = i.host
     where i.host <> $11 and (cardinality($13::text[]) = 0 or not ${isListedHost('i.host', '$13::text[]')}) and h.state is distinct from 'dead' and not coalesce(i.inbox = any(h.gone_inboxes), false)
   ),
   sent as (
     insert into activities (uri, account_id, type, subject, body)
     select $1, $2::text, $3, $4, $5::json
     where exists (select from targets)
       and ($12::boolean or $2::text is null or exists (
         select from accounts where id = $2 and (deactivated_at is null or $21::boolean and deleted_at is null)))
     on conflict do nothing returning id
   ),
   queued as (
     insert into deliveries (host, inbox, activity_id, object, request_id, traceparent, created_at)
     select targets.host, targets.inbox, sent.id, $6, $19, $20, case when $22::boolean then 'infinity' else now() end
     from targets cross join sent
   )
   select distinct host, coalesce(failing, false) as failing, proven from targets where exists (select from sent)`,
);

// Index: activities_subject.
const detachSubject = sql<{ body: Activity }>(
  'outbox.take',
  `update activities set subject = null where subject = $1 and uri is distinct from $2 returning body`,
);

// Index: activities_uri_key.
const detachUri = sql<{ body: Activity }>(
  'outbox.take_by_uri',
  `update activities set subject = null where uri = $1 and subject is not null returning body`,
);

/** All SQL on `activities`, and the writing of deliveries. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly db: Database) {}

  /** Lets units of work with the same ordering key run one after the other. */
  async lock(orderingKey: string): Promise<void> {
    await this.db.rows(lock, [orderingKey]);
  }

  /**
   * Stores an activity with a delivery for each inbox of its audience, and returns the hosts of these. Stores nothing
   * when there is no such inbox, for the hosts in `unreached` (see {@link PoliciesService.unreached}), or when the activity or its subject is stored already.
   */
  insert(
    { activity, accountId, subject, object, needsActiveAccount, waits }: NewActivity,
    {
      followersOf = [],
      followeesOf,
      accountIds = [],
      inboxes = [],
      relays = false,
      relayFollowers = false,
      servers = [],
      except = [],
      shared,
    }: Audience,
    ownHost: string,
    unreached: readonly string[],
  ): Promise<QueuedHost[]> {
    const { id, type } = activity;
    const what = [id, accountId, type, subject, JSON.stringify(activity), object];
    const whom = [followersOf, followeesOf ?? null, accountIds, shared, ownHost];
    const filters = [!needsActiveAccount, [...unreached, ...except].map((host) => host.toLowerCase())];
    const readers = [servers.map(({ host }) => host), servers.map(({ inbox }) => inbox)];
    const { requestId, traceparent } = currentCause();
    const rest = [requestId, traceparent, isRetraction(activity), waits];
    return this.db.rows(insert, [...what, ...whom, ...filters, inboxes, relays, relayFollowers, ...readers, ...rest]);
  }

  /** Returns the activity with a subject, if it has another id than `exceptUri`, and removes its subject, since it is undone now. */
  async detachSubject(subject: string, exceptUri: string | null = null): Promise<Activity | undefined> {
    return (await this.db.first(detachSubject, [subject, exceptUri]))?.body;
  }

  /** Like {@link detachSubject}, by the id of the activity. */
  async detachUri(uri: string): Promise<Activity | undefined> {
    return (await this.db.first(detachUri, [uri]))?.body;
  }

  /** Removes the activities of an account with their deliveries, but for its own deletion. Index: activities_account. */
  async removeOf(accountId: string): Promise<void> {
    const where = `account_id = $1 and type <> 'Delete'`;
    await purge(this.db, { table: 'activities', where, by: 'account_id' }, [accountId]);
  }

  /**
   * Removes the key pairs of accounts that were deleted some days ago and have nothing left to sign. Index: keys_pkey,
   * accounts_pkey, activities_account, deliveries_activity.
   */
  async removeKeys(days: number): Promise<void> {
    const deleted = `select from accounts a where a.id = keys.account_id and a.deleted_at < now() - $1 * interval '1 day'`;
    const waiting = `select from activities a join deliveries d on d.activity_id = a.id where a.account_id = keys.account_id`;
    const where = `exists (${deleted}) and not exists (${waiting})`;
    await purge(this.db, { table: 'keys', where, by: 'account_id' }, [days]);
  }

  /**
   * Removes activities that cannot be undone, wait for no delivery and were stored long ago, and deliveries that were left behind,
   * such as those to a host that was given up at that moment. Index: activities_created, deliveries_pkey, deliveries_activity.
   */
  async purge(days: number): Promise<void> {
    const isOld = `created_at < now() - $1 * interval '1 day'`;
    await purge(this.db, { table: 'deliveries', where: isOld, by: 'id' }, [days]);
    const isDone = `not exists (select from deliveries d where d.activity_id = activities.id)`;
    const where = `subject is null and ${isOld} and ${isDone}`;
    await purge(this.db, { table: 'activities', where, by: 'created_at' }, [days]);
  }
}
