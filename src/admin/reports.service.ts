import { Injectable } from '@nestjs/common';
import { AccountsService, isActive, serverNamesOf } from '../accounts/index.js';
import { cleanText, ignoreRefusal, Invalid, isLongerThan, phrase, unique } from '../common/index.js';
import { Settings } from '../config/index.js';
import { FlagsService, ReportReceived } from '../federation/index.js';
import { Events, FlakeIds, isBigintId, isFlakeId, Subscribes, UnitOfWork } from '../platform/index.js';
import { ReportFilesRepository } from './report-files.repository.js';
import type { ReportCategory } from './report.entities.js';
import { type FiledReportRow, ReportRepository } from './report.repository.js';
import { ReportedStatuses } from './reported-statuses.js';
import { ReportFiled } from './reports.events.js';

/** A new report. */
export interface NewReport {
  readonly accountId: string;
  readonly statusIds: readonly string[];
  readonly comment: string;
  readonly forward: boolean;
  readonly ruleIds: readonly string[];
  readonly category: ReportCategory;
}

/** Files reports (spec §2.7). */
@Injectable()
export class ReportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly statuses: ReportedStatuses,
    private readonly reports: ReportRepository,
    private readonly files: ReportFilesRepository,
    private readonly flags: FlagsService,
  ) {}

  /**
   * Files the report of another server, once: its job may run again. Servers do not name the reporter: the staff see each
   * post that some account of the server may read.
   */
  @Subscribes(ReportReceived, { job: 'admin.file-received-report', queue: 'federate' })
  async fileReceived({ reportId, actorId, accountId, statusIds, comment }: ReportReceived): Promise<void> {
    const text = cleanText(comment, { maxLength: this.maxComment });
    const report = { accountId, statusIds, comment: text, forward: false, ruleIds: [], category: 'other' } as const;
    const signer = await this.accounts.byId(actorId);
    const readers = await this.reports.readersOn(signer ? serverNamesOf(signer) : [], statusIds);
    // The account may be deleted meanwhile, or the report is filed already.
    await this.store(actorId, report, reportId, readers).catch(ignoreRefusal);
  }

  /**
   * Files a report of one account about another. Omits posts that are not by that account or not visible to the reporter,
   * and unknown rules: an error would turn away an account in need. Blocks between the two do not
   * matter. Only reports about remote accounts are forwarded.
   * @throws Invalid when there is no such account, and for a comment that is too long
   */
  async file(actorId: string, report: NewReport): Promise<FiledReportRow> {
    if (isLongerThan(this.maxComment, report.comment)) {
      throw new Invalid(phrase('Comment must be up to {max} characters', { max: this.maxComment }));
    }
    return this.store(actorId, report, this.ids.next());
  }

  /** @param readers the accounts that posts must be visible to, where that is not the reporter */
  private async store(
    actorId: string,
    report: NewReport,
    id: string,
    readers: ReadonlyMap<string, string> = new Map(),
  ): Promise<FiledReportRow> {
    const account = await this.accounts.byId(report.accountId);
    if (!account || !isActive(account)) throw notFound();
    const statusIds = unique(report.statusIds).filter(isFlakeId);
    const copies = await this.statuses.copies(statusIds, account.id, (statusId) => readers.get(statusId) ?? actorId);
    return this.uow.run(async () => {
      const { accountId, comment, category } = report;
      const forward = report.forward && account.domain !== null;
      const filed = await this.reports.insert({ id, accountId, actorId, comment, forward, category });
      if (!filed) throw notFound(); // it was deleted at this moment, or the report is filed already
      await this.reports.addStatuses(id, copies);
      await this.files.insert(
        id,
        copies.map(({ id: statusId }) => statusId),
      );
      const ruleIds = await this.reports.addRules(id, unique(report.ruleIds).filter(isBigintId));
      this.events.emit(new ReportFiled(id, accountId, actorId, forward));
      return { ...filed, statusIds: copies.map(({ id: statusId }) => statusId), ruleIds };
    });
  }

  private get maxComment(): number {
    return this.settings.get('instance.max_report_comment_size');
  }

  /** Forwards a report to the server of the reported account, without the name of the reporter. */
  @Subscribes(ReportFiled, { job: 'admin.forward-report', queue: 'federate', when: ({ forward }) => forward })
  async forward({ reportId }: ReportFiled): Promise<void> {
    const [report] = await this.reports.byIds([reportId]);
    if (!report) return;
    const { accountId, comment } = report;
    await this.flags.forward({ reportId, accountId, statusIds: report.statuses.map(({ id }) => id), comment });
  }
}

function notFound(): Invalid {
  return new Invalid('Account not found');
}
