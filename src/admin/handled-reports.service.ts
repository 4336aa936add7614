import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/index.js';
import { Invalid, isBlank } from '../common/index.js';
import { isBigintId, UnitOfWork } from '../platform/index.js';
import { type Actor, ModerationLogService } from './log/moderation-log.service.js';
import { REPORT_STATES, type ReportState } from './report.entities.js';
import { HandledReportsRepository, type ReportFilter, type ReportGroupRow } from './handled-reports.repository.js';

interface StateChange {
  readonly id: string;
  readonly state: string;
}

interface Assignment {
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
    private readonly accounts: AccountsService,
    private readonly log: ModerationLogService,
  ) {}

  /** The ids of a page, the newest first, and how many reports there are. */
  async page(filter: ReportFilter, limit: number, offset: number): Promise<{ ids: string[]; total: number }> {
    const [ids, total] = await Promise.all([this.reports.page(filter, limit, offset), this.reports.count(filter)]);
    return { ids, total };
  }

  /** The newest open reports by the posts they name. */
  groups(): Promise<ReportGroupRow[]> {
    return this.reports.groups();
  }

  /** Sets states; any state may follow any other. Throws Invalid with the failed entries; the others are done. */
  changeStates(actor: Actor, changes: readonly StateChange[]): Promise<void> {
    return this.each(changes, async ({ id, state }) => {
      if (!isState(state)) return 'Unsupported state';
      if (!(await this.reports.setState(id, state))) return UNKNOWN_REPORT;
      await this.log.record(actor, 'report_update', subjectOf(id), { state });
      return undefined;
    });
  }

  /** Assigns reports to local accounts, or removes the assignment. Throws Invalid with the failed entries; the others are done. */
  assign(actor: Actor, assignments: readonly Assignment[]): Promise<void> {
    return this.each(assignments, async ({ id, nickname }) => {
      const account = nickname === null ? null : await this.accounts.stored(nickname);
      if (account === undefined || account?.deleted_at || account?.domain) return 'Account not found';
      if (!(await this.reports.assign(id, account?.id ?? null))) return UNKNOWN_REPORT;
      await this.log.record(actor, 'report_assign', subjectOf(id), { assigned: account?.nickname ?? null });
      return undefined;
    });
  }

  /** Adds a note. Throws Invalid without a text, or a report. */
  async addNote(actor: Actor, reportId: string, content: string): Promise<void> {
    await this.uow.run(async () => {
      if (isBlank(content) || !(await this.reports.exists(reportId))) throw invalid();
      await this.reports.addNote(reportId, actor.accountId, content);
      await this.log.record(actor, 'report_note', subjectOf(reportId), { content });
    });
  }

  /** Removes a note. Throws Invalid when the report has none with this id. */
  async removeNote(actor: Actor, reportId: string, noteId: string): Promise<void> {
    await this.uow.run(async () => {
      const content = isBigintId(noteId) ? await this.reports.removeNote(reportId, noteId) : undefined;
      if (content === undefined) throw invalid();
      await this.log.record(actor, 'report_note_delete', subjectOf(reportId), { content });
    });
  }

  /** Removes the posts of reports that were closed long ago. */
  purgePosts(): Promise<void> {
    return this.reports.purgePosts();
  }

  private async each<T extends { id: string }>(
    items: readonly T[],
    change: (item: T) => Promise<string | undefined>,
  ): Promise<void> {
    const failures = await this.uow.run(async () => {
      const failed: { id: string; error: string }[] = [];
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

function subjectOf(id: string) {
  return { type: 'report', id };
}

/** The body that spec §7 fixes. */
function invalid(): Invalid {
  return Invalid.plain('Invalid parameters');
}
