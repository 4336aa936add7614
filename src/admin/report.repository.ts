import { Injectable } from '@nestjs/common';
import { isAcceptedRemote, isOfServer } from '../accounts/index.js';
import type { MutableMail } from '../sign-in/index.js';
import { columns, Database, sql } from '../platform/index.js';
import { FOLLOWERS_ONLY } from '../statuses/index.js';
import { type ReportCategory, type ReportState, Report } from './report.entities.js';
import type { StatusCopy } from './reported-statuses.js';

/** A report as its reporter sees it. */
export interface FiledReportRow {
  readonly id: string;
  readonly accountId: string;
  readonly comment: string;
  readonly category: ReportCategory;
  readonly forward: boolean;
  readonly createdAt: string;
  readonly statusIds: readonly string[];
  readonly ruleIds: readonly string[];
}

export interface NewReportRow {
  readonly id: string;
  readonly accountId: string;
  readonly actorId: string;
  readonly comment: string;
  readonly category: ReportCategory;
  readonly forward: boolean;
}

interface ReportNoteJson {
  readonly id: number;
  readonly authorId: string | null;
  readonly content: string;
  readonly createdAt: string;
}

interface ReportRuleJson {
  readonly id: string;
  readonly text: string;
  readonly hint: string;
}

/** A report as staff sees it. */
export interface ReportRow {
  readonly id: string;
  readonly accountId: string;
  readonly actorId: string | null;
  readonly assignedId: string | null;
  readonly comment: string;
  readonly state: ReportState;
  readonly createdAt: string;
  readonly statuses: readonly { readonly id: string; readonly copy: object | null }[];
  readonly rules: readonly ReportRuleJson[];
  readonly notes: readonly ReportNoteJson[];
}

/** A receiver of mail about reports. */
export interface StaffAddress {
  readonly accountId: string;
  readonly email: string;
  readonly locale: string | null;
}

/** Both handles of a report, for its mail. */
export interface ReportParties {
  readonly account: string;
  readonly actor: string;
}

const insert = sql<Omit<FiledReportRow, 'statusIds' | 'ruleIds'>>(
  'reports.insert',
  `with target as materialized (select id from accounts where id = $2 for key share)
   insert into reports (id, account_id, actor_id, comment, category, forward)
   select $1, target.id, $3, $4, $5, $6 from target on conflict (id) do nothing
   returning id, account_id as "accountId", comment, category, forward, created_at as "createdAt"`,
);

const addStatuses = sql(
  'reports.add_statuses',
  `insert into report_statuses (report_id, status_id, copy)
   select $1, id, copy::jsonb from unnest($2::text[], $3::text[]) as new(id, copy)`,
);

// An account of the server that the post addresses, or that follows the author of a post for followers. Index: statuses_pkey,
// mentions_pkey, follows_remote_followers, accounts_pkey.
const readers = sql<{ statusId: string; readerId: string | null }>(
  'reports.readers_on_server',
  `select s.id as "statusId", coalesce(
     (select a.id from mentions m join accounts a on a.id = m.account_id
      where m.status_id = s.id and ${isOfServer('a', 'any($2::text[])')} limit 1),
     (select a.id from follows f join accounts a on a.id = f.follower_id
      where ${FOLLOWERS_ONLY.sql('s')} and f.followee_id = s.author_id and ${isAcceptedRemote('f')}
        and ${isOfServer('a', 'any($2::text[])')} limit 1)) as "readerId"
   from statuses s where s.id = any($1::text[])`,
);

const addRules = sql<{ ruleId: string }>(
  'reports.add_rules',
  `insert into report_rules (report_id, rule_id) select $1, id from rules where id = any($2::bigint[])
   returning rule_id as "ruleId"`,
);

const rowsOf = (source: string, fields: string, order: string) =>
  `coalesce((select json_agg(json_build_object(${fields}) order by ${order}) from ${source}), '[]')`;

// Indexes: the primary keys, report_notes_report.
const byIds = sql<ReportRow>(
  'reports.by_ids',
  `select ${columns(Report, 'r', ['id', 'accountId', 'actorId', 'assignedId', 'comment', 'state', 'createdAt'])},
     ${rowsOf('report_statuses s where s.report_id = r.id', `'id', s.status_id, 'copy', s.copy`, 's.status_id')} as statuses,
     ${rowsOf(
       'report_rules b join rules u on u.id = b.rule_id where b.report_id = r.id',
       `'id', u.id::text, 'text', u.text, 'hint', u.hint`,
       'u.priority, u.id',
     )} as rules,
     ${rowsOf(
       'report_notes n where n.report_id = r.id',
       `'id', n.id, 'authorId', n.author_id, 'content', n.content,
        'createdAt', to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
       'n.id',
     )} as notes
   from reports r where r.id = any($1::text[])
     and ($2::text is null or exists (select from users u where u.account_id = $2 and (u.is_admin or u.is_moderator and $3)))`,
);

/** `$2` tells whether moderators have the right that the mail is about. */
const IS_STAFF = `(u.is_admin or u.is_moderator and $2) and u.is_confirmed and u.is_approved and a.deactivated_at is null`;

// Index: users_staff.
const WANTS_MAIL = `not $1 = any(u.muted_mails)`;

const staffAddresses = sql<StaffAddress>(
  'reports.staff_addresses',
  `select u.account_id as "accountId", u.email, u.locale from users u join accounts a on a.id = u.account_id
   where ${IS_STAFF} and u.email is not null and ${WANTS_MAIL} order by u.account_id`,
);

const staffAddress = sql<StaffAddress>(
  'reports.staff_address',
  `select u.account_id as "accountId", u.email, u.locale from users u join accounts a on a.id = u.account_id
   where u.account_id = $3 and ${IS_STAFF} and u.email is not null and ${WANTS_MAIL}`,
);

const handle = (account: string) => `${account}.nickname || coalesce('@' || ${account}.domain, '')`;

const parties = sql<ReportParties>(
  'reports.parties',
  `select ${handle('a')} as account, coalesce(${handle('b')}, '') as actor
   from reports r join accounts a on a.id = r.account_id left join accounts b on b.id = r.actor_id where r.id = $1`,
);

/** All SQL on `reports` and the tables that belong to it. */
@Injectable()
export class ReportRepository {
  constructor(private readonly db: Database) {}

  /** Undefined when the reported account is gone, and when the report is stored already. */
  insert(report: NewReportRow): Promise<Omit<FiledReportRow, 'statusIds' | 'ruleIds'> | undefined> {
    const { id, accountId, actorId, comment, category, forward } = report;
    return this.db.first(insert, [id, accountId, actorId, comment, category, forward]);
  }

  async addStatuses(reportId: string, statuses: readonly StatusCopy[]): Promise<void> {
    if (statuses.length === 0) return;
    const copies = statuses.map(({ copy }) => JSON.stringify(copy));
    await this.db.run(addStatuses, [reportId, statuses.map(({ id }) => id), copies]);
  }

  /** For each status that is not for everybody: an account that may read it, of the server with these names. */
  async readersOn(names: readonly string[], statusIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.db.rows(readers, [statusIds, names]);
    return new Map(rows.flatMap(({ statusId, readerId }) => (readerId === null ? [] : [[statusId, readerId]])));
  }

  /** Returns the rules that exist. */
  async addRules(reportId: string, ruleIds: readonly string[]): Promise<string[]> {
    if (ruleIds.length === 0) return [];
    return (await this.db.rows(addRules, [reportId, ruleIds])).map(({ ruleId }) => ruleId);
  }

  /** Unordered; omits unknown ids. */
  byIds(ids: readonly string[]): Promise<ReportRow[]> {
    return this.db.rows(byIds, [ids, null, false]);
  }

  /** Like {@link byIds}, for a member of the staff: none for others. Moderators see them only `withModerators`. */
  byIdsFor(viewerId: string, ids: readonly string[], withModerators: boolean): Promise<ReportRow[]> {
    return this.db.rows(byIds, [ids, viewerId, withModerators]);
  }

  /** All administrators, and moderators if wanted, with a mail address that want this kind of mails. */
  staffAddresses(kind: MutableMail, withModerators: boolean): Promise<StaffAddress[]> {
    return this.db.rows(staffAddresses, [kind, withModerators]);
  }

  /** The mail address of a member of the staff that wants this kind of mails; undefined for other accounts. */
  staffAddress(kind: MutableMail, withModerators: boolean, accountId: string): Promise<StaffAddress | undefined> {
    return this.db.first(staffAddress, [kind, withModerators, accountId]);
  }

  parties(reportId: string): Promise<ReportParties | undefined> {
    return this.db.first(parties, [reportId]);
  }
}
