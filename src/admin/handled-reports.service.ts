import { Injectable } from '@nestjs/common';
import { AccountsService, acctOf } from '../accounts/index.js';
import { Invalid, isBlank, listedTotal, type Reason } from '../common/index.js';
import type { Actor } from '../config/index.js';
import { DAILY, isBigintId, Recurs, UnitOfWork } from '../platform/index.js';
import type { LogSubject } from './log/moderation-log.entity.js';
import { ModerationLogService } from './log/moderation-log.service.js';
import { REPORT_STATES, type ReportState } from './report.entities.js';
import {
  HandledReportsRepository,
  type ReportFilter,
  type ReportGroupRow,
  type WaitingCounts,
} from './handled-reports.repository.js';
import { ReportedFilesService } from './reported-files.service.js';

interface StateChange {
  readonly id: string;
  readonly state: string;
}

export interface Assignment {
  readonly id: string;
  /** Null: not assigned. */
  readonly nickname: string | null;
}

const UNKNOWN_REPORT = 'Not found';

/** The actions of the staff on reports (spec §4.1.4). Each change adds an entry to the moderation log. */
@Injectable()
export class HandledReportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: HandledReportsRepository,
    private readonly files: ReportedFilesService,
    private readonly accounts: AccountsService,
    private readonly log: ModerationLogService,
  ) {}

  /** The ids of a page, the newest first, and how many reports there are. */
  async page(filter: ReportFilter, limit: number, offset: number): Promise<{ ids: string[]; total: number }> {
    if (filter.ruleId !== undefined && !isBigintId(filter.ruleId)) return { ids: [], total: 0 };
    const [ids, counted] = await Promise.all([this.reports.page(filter, limit, offset), this.reports.count(filter)]);
    return { ids, total: listedTotal(counted, { limit, offset, found: ids.length }) };
  }

  /** What waits for the staff: only what is asked for, else 0. */
  waiting(asked: Readonly<Record<keyof WaitingCounts, boolean>>): Promise<WaitingCounts> {
    return this.reports.waiting(asked);
  }

  /** The newest open reports by the posts they name. */
  groups(): Promise<ReportGroupRow[]> {
    return this.reports.groups();
  }

  /** Sets states; any state may follow any other. Throws Invalid with the failed entries; the others are done. */
  changeStates(actor: Actor, changes: readonly StateChange[]): Promise<void> {
    return this.each(changes, async ({ id, state }) => {
      if (!isState(state)) return 'Unsupported state';
      const subject = await this.subject(id);
      if (!subject) return UNKNOWN_REPORT;
      await this.reports.setState(id, state);
      await this.log.record(actor, 'report_update', subject, { state });
      return undefined;
    });
  }

  /** Assigns reports to local accounts, or removes the assignment. Throws Invalid with the failed entries; the others are done. */
  assign(actor: Actor, assignments: readonly Assignment[]): Promise<void> {
    return this.each(assignments, async ({ id, nickname }) => {
      const account = nickname === null ? null : await this.accounts.stored(nickname);
      if (account === undefined || account?.deletedAt || account?.domain) return 'Account not found';
      const subject = await this.subject(id);
      if (!subject) return UNKNOWN_REPORT;
      await this.reports.assign(id, account?.id ?? null);
      await this.log.record(actor, 'report_assign', subject, { assigned: account?.nickname ?? null });
      return undefined;
    });
  }

  /** Adds a note. Throws Invalid without a text, or a report. */
  async addNote(actor: Actor, reportId: string, content: string): Promise<void> {
    await this.uow.run(async () => {
      const subject = await this.subject(reportId);
      if (isBlank(content) || !subject) throw invalid();
      await this.reports.addNote(reportId, actor.accountId, content);
      await this.log.record(actor, 'report_note', subject, { content });
    });
  }

  /** Removes a note. Throws Invalid when the report has none with this id. */
  async removeNote(actor: Actor, reportId: string, noteId: string): Promise<void> {
    await this.uow.run(async () => {
      const subject = await this.subject(reportId);
      const content = isBigintId(noteId) ? await this.reports.removeNote(reportId, noteId) : undefined;
      if (content === undefined || !subject) throw invalid();
      await this.log.record(actor, 'report_note_delete', subject, { content });
    });
  }

  /** Removes the posts of reports that were closed long ago, with the files that these retained. */
  @Recurs({ job: 'admin.purge-reported-posts', everyMinutes: DAILY })
  async purgeStatuses(): Promise<void> {
    await this.reports.purgeStatuses();
    await this.files.purge();
  }

  /** The report in the moderation log, with the name of the reported account; undefined when there is no such report. */
  private async subject(id: string): Promise<LogSubject | undefined> {
    const accountId = await this.reports.accountOf(id);
    const account = accountId && (await this.accounts.byId(accountId));
    return account ? { type: 'report', id, nickname: acctOf(account.nickname, account.domain) } : undefined;
  }

  private async each<T extends { id: string }>(
    items: readonly T[],
    change: (item: T) => Promise<Reason | undefined>,
  ): Promise<void> {
    const failures = await this.uow.run(async () => {
      const failed: { id: string; error: Reason }[] = [];
      for (const item of items) {
        const error = await change(item);
        if (error !== undefined) failed.push({ id: item.id, error });
      }
      return failed;
    });
    if (failures.length > 0) throw Invalid.bulk(failures);
  }
}

function isState(state: string): state is ReportState {
  return (REPORT_STATES as readonly string[]).includes(state);
}

/** The body that spec §7 fixes. */
function invalid(): Invalid {
  return Invalid.plain('Invalid parameters');
}
