import { sql } from '../database/sql.js';

/** Where the write-ahead log of the primary ends, and which database it is. */
export interface PositionRow {
  /** Bytes since the beginning of the log. */
  readonly position: string;
  readonly identity: string;
}

/** Null when the server is no replica, or no longer one. */
export interface ReplayedRow {
  readonly position: string | null;
}

const identity = (timeline: string) => `concat_ws('/', (select system_identifier from pg_control_system()),
     (select oid from pg_database where datname = current_database()), ${timeline})`;

/**
 * On the primary. The identity has the timeline, which a promotion changes: positions of two timelines do not compare. The
 * control file would tell it only after the next checkpoint.
 */
export const currentPosition = sql<PositionRow>(
  'platform.current_position',
  `select (pg_current_wal_insert_lsn() - '0/0')::text as position,
     ${identity(`('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int`)} as identity`,
);

/** On a replica, which learns of another timeline by a checkpoint. */
export const replicaIdentity = sql<{ identity: string }>(
  'platform.replica_identity',
  `select ${identity('(select timeline_id from pg_control_checkpoint())')} as identity`,
);

/** On a replica: fails where the login may not read the tables, or does not find them. */
export const anyTable = sql('platform.replica_table', 'select from migrations limit 0');

/** On a replica: what it has replayed. */
export const replayedPosition = sql<ReplayedRow>(
  'platform.replayed_position',
  `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as position`,
);
