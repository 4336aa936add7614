import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StaffRights } from '../access/index.js';
import { AccountView, UsersService, type ViewContext } from '../accounts/index.js';
import { escapeHtml, inOrder, Json, keyBy, NotFound, unique } from '../common/index.js';
import { ReportBodies } from '../notifications/index.js';
import { Brand } from '../platform/index.js';
import { branded } from './reported-statuses.js';
import { MergedAccountsView } from './users/merged-accounts.view.js';
import { type FiledReportRow, ReportRepository, type ReportRow } from './report.repository.js';

/** The scope that opens reports, as a right of moderators too. */
export const READ_REPORTS = 'admin:read:reports';

/** The reports of one post. */
interface ReportGroup {
  readonly statusId: string;
  readonly reportIds: readonly string[];
}

/** The reader of the administrative API: a request's `Auth`. */
interface StaffReader {
  readonly accountId: string | null;
  readonly isAdmin: boolean;
}

/** Reports as JSON: for the reporter and for staff. */
@Injectable()
export class ReportView implements OnModuleInit {
  constructor(
    private readonly repository: ReportRepository,
    private readonly accounts: AccountView,
    private readonly users: UsersService,
    private readonly bodies: ReportBodies,
    private readonly merged: MergedAccountsView,
    private readonly rights: StaffRights,
    private readonly brand: Brand,
  ) {}

  onModuleInit(): void {
    this.bodies.use(this);
  }

  async isReader(accountId: string): Promise<boolean> {
    return this.rights.admits(await this.users.facts(accountId), [READ_REPORTS]);
  }

  /** A new report (reference Report). Throws NotFound when the reported account is gone. */
  async filed(report: FiledReportRow, context: ViewContext): Promise<Json> {
    const account = (await this.accounts.many([report.accountId], context)).get(report.accountId);
    if (!account) throw new NotFound();
    return Json.object({
      id: report.id,
      action_taken: false,
      action_taken_at: null,
      category: report.category,
      comment: report.comment,
      forwarded: report.forward,
      created_at: report.createdAt,
      status_ids: report.statusIds,
      rule_ids: report.ruleIds,
      target_account: account,
    });
  }

  /**
   * Reports as staff sees them (spec §2.7), by their ids, for those who may read reports now: two statements for any number.
   */
  async many(ids: readonly string[], context: ViewContext): Promise<Map<string, Json>> {
    if (ids.length === 0) return new Map();
    const withModerators = this.rights.admitsModerators(READ_REPORTS);
    const rows = this.branded(await this.repository.byIdsFor(context.viewerId ?? '', ids, withModerators));
    return reports(rows, await this.accounts.many(accountsIn(rows), context));
  }

  /** A page of the list (spec §4.1.4). */
  async page(ids: readonly string[], total: number, reader: StaffReader): Promise<Json> {
    const { rows, accounts } = await this.readForStaff(ids, reader);
    return Json.object({ total, reports: inOrder(ids, reports(rows, accounts)) });
  }

  /** A report of the administrative API. Throws NotFound. */
  async one(id: string, reader: StaffReader): Promise<Json> {
    const { rows, accounts } = await this.readForStaff([id], reader);
    const shown = reports(rows, accounts).get(id);
    if (!shown) throw new NotFound();
    return shown;
  }

  /** Reports by the posts they name: three statements for any number. Each group begins with its newest report. */
  async groups(groups: readonly ReportGroup[], reader: StaffReader): Promise<Json> {
    const ids = unique(groups.flatMap(({ reportIds: members }) => members));
    const { rows, accounts } = await this.readForStaff(ids, reader);
    const byId = keyBy(rows, ({ id }) => id);
    const rendered = reports(rows, accounts);
    return Json.object({
      reports: groups.flatMap(({ statusId, reportIds: members }) => {
        const [newest, ...older] = members.flatMap((id) => byId.get(id) ?? []);
        const account = newest && accounts.get(newest.accountId);
        const status = newest?.statuses.find(({ id }) => id === statusId)?.copy;
        if (!account || !status) return [];
        const actors = unique([newest, ...older].flatMap(({ actorId: id }) => id ?? []));
        const shown = { actors: inOrder(actors, accounts), reports: inOrder(members, rendered) };
        return [Json.object({ date: newest.createdAt, account, status, ...shown })];
      }),
    });
  }

  private async readForStaff(ids: readonly string[], { accountId, isAdmin }: StaffReader) {
    const rows = await this.rowsOf(ids);
    const accounts = await this.accounts.objectsById(accountsIn(rows), { viewerId: accountId ?? undefined });
    return { rows, accounts: await this.merged.many(accounts, isAdmin) };
  }

  private async rowsOf(ids: readonly string[]): Promise<ReportRow[]> {
    return ids.length === 0 ? [] : this.branded(await this.repository.byIds(ids));
  }

  private branded(rows: readonly ReportRow[]): ReportRow[] {
    const { word } = this.brand;
    const copies = (statuses: ReportRow['statuses']) =>
      statuses.map(({ id, copy }) => ({ id, copy: copy && branded(copy, word) }));
    return rows.map((row) => ({ ...row, statuses: copies(row.statuses) }));
  }
}

/** Reports by their ids; left out when the reported account is gone. */
function reports(rows: readonly ReportRow[], accounts: ReadonlyMap<string, Json>): Map<string, Json> {
  return new Map(
    rows.flatMap((row): [string, Json][] => {
      const account = accounts.get(row.accountId);
      return account ? [[row.id, report(row, account, accounts)]] : [];
    }),
  );
}

function accountsIn(rows: readonly ReportRow[]): string[] {
  return unique(
    rows.flatMap(({ accountId, actorId, assignedId, notes }) => [
      accountId,
      actorId,
      assignedId,
      ...notes.map(({ authorId }) => authorId),
    ]),
  );
}

/** Dashboards render the comment as HTML. */
function report(row: ReportRow, account: Json, accounts: ReadonlyMap<string, Json>): Json {
  const shown = (id: string | null) => (id === null ? null : (accounts.get(id) ?? null));
  return Json.object({
    id: row.id,
    account,
    actor: shown(row.actorId),
    content: escapeHtml(row.comment),
    created_at: row.createdAt,
    state: row.state,
    statuses: row.statuses.flatMap(({ copy }) => (copy === null ? [] : [copy])),
    assigned_account: shown(row.assignedId),
    notes: row.notes.map(({ id, content, createdAt, authorId }) =>
      Json.object({
        id,
        content,
        inserted_at: createdAt,
        created_at: createdAt,
        user_id: authorId,
        user: shown(authorId),
      }),
    ),
    rules: row.rules,
  });
}
