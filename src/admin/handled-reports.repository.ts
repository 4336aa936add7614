import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, IsNull, Raw } from 'typeorm';
import { isExpired, WAITING_SIGN_UPS } from '../accounts/index.js';
import { MAX_LISTED } from '../common/index.js';
import { countFound, countUpTo, Database, purge, UnitOfWork, sql } from '../platform/index.js';
import { Report, ReportNote, type ReportState, ReportStatus } from './report.entities.js';

/** The reports of a list; without a condition all. */
export interface ReportFilter {
  readonly state?: ReportState | undefined;
  readonly assignedId?: string | undefined;
  /** The reported account. */
  readonly accountId?: string | undefined;
  /** A checked text of `bigint`. */
  readonly ruleId?: string | undefined;
}

/** The reports of one post. */
export interface ReportGroupRow {
  readonly statusId: string;
  /** The newest first. */
  readonly reportIds: readonly string[];
}

/** The newest open reports that are grouped, and the most groups. */
const GROUPED_REPORTS = 200;
const GROUPS = 50;

/** For so long after a report was closed, it can be opened again with its posts. */
const KEPT = '90 days';

// Indexes: reports_state, report_statuses_pkey.
const groups = `
  with recent as materialized (
    select id from reports where state = 'open' order by id desc limit ${GROUPED_REPORTS})
  select s.status_id as "statusId", array_agg(r.id order by r.id desc) as "reportIds"
  from recent r join report_statuses s on s.report_id = r.id
  group by s.status_id order by max(r.id) desc limit ${GROUPS}`;

const grouped = sql<ReportGroupRow>('reports.groups', groups);

/** The numbers of things that wait for the staff, each up to {@link MAX_LISTED}. */
export interface WaitingCounts {
  /** Open reports. */
  readonly reports: number;
  /** Accounts to approve. */
  readonly signUps: number;
}

// A number that is not asked for is not counted. Index: reports_state.
const waiting = sql<WaitingCounts>(
  'reports.waiting',
  `select case when $1::boolean then ${countUpTo(MAX_LISTED, `reports where state = 'open'`)} else 0 end as reports,
     case when $2::boolean then ${WAITING_SIGN_UPS} else 0 end as "signUps"`,
);

const OF_RULE = 'select report_id from report_rules where rule_id = :ruleId';

/** Reads and changes reports for the staff. */
@Injectable()
export class HandledReportsRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The newest first. Indexes: reports_pkey, reports_state, reports_assigned, reports_account. */
  async page(filter: ReportFilter, limit: number, offset: number): Promise<string[]> {
    const rows = await this.uow.manager.find(Report, {
      select: { id: true },
      where: conditions(filter),
      order: { id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return rows.map(({ id }) => id);
  }

  /** Up to {@link MAX_LISTED}. */
  count(filter: ReportFilter): Promise<number> {
    return countFound(this.uow.manager, Report, conditions(filter), MAX_LISTED);
  }

  /** What is asked for, else 0. */
  async waiting({ reports, signUps }: Readonly<Record<keyof WaitingCounts, boolean>>): Promise<WaitingCounts> {
    return (await this.db.first(waiting, [reports, signUps])) ?? { reports: 0, signUps: 0 };
  }

  /** The id of the reported account; undefined when there is no such report. */
  async accountOf(id: string): Promise<string | undefined> {
    return (await this.uow.manager.findOne(Report, { select: { accountId: true }, where: { id } }))?.accountId;
  }

  /** The newest open reports by the posts they name: the posts reported last first. */
  groups(): Promise<ReportGroupRow[]> {
    return this.db.rows(grouped);
  }

  /** The posts of the report stay for a time when it is closed; closing it again does not prolong that. */
  async setState(id: string, state: ReportState): Promise<void> {
    await this.uow.manager.update(Report, { id }, { state });
    const [wanted, expiresAt] =
      state === 'open' ? [{}, null] : [{ expiresAt: IsNull() }, () => `now() + interval '${KEPT}'`];
    await this.uow.manager.update(ReportStatus, { reportId: id, ...wanted }, { expiresAt });
  }

  async assign(id: string, assignedId: string | null): Promise<void> {
    await this.uow.manager.update(Report, { id }, { assignedId });
  }

  async addNote(reportId: string, authorId: string | null, content: string): Promise<void> {
    await this.uow.manager.insert(ReportNote, { reportId, authorId, content });
  }

  /** Returns the text of the note; undefined when the report has no such note. */
  async removeNote(reportId: string, id: string): Promise<string | undefined> {
    const note = await this.uow.manager.findOneBy(ReportNote, { id, reportId });
    const { affected } = await this.uow.manager.delete(ReportNote, { id, reportId });
    return affected === 1 ? note?.content : undefined;
  }

  /** Removes the posts of reports that were closed long ago. */
  async purgeStatuses(): Promise<void> {
    await purge(this.db, { table: 'report_statuses', where: isExpired('report_statuses'), by: 'expires_at' });
  }
}

function conditions({ state, assignedId, accountId, ruleId }: ReportFilter): FindOptionsWhere<Report> {
  return {
    ...(state === undefined ? {} : { state }),
    ...(assignedId === undefined ? {} : { assignedId }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(ruleId === undefined ? {} : { id: Raw((id) => `${id} in (${OF_RULE})`, { ruleId }) }),
  };
}
