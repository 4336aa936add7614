import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountView, type ViewContext } from '../accounts/index.js';
import { escapeHtml, Json, NotFound, unique } from '../common/index.js';
import { ReportBodies } from '../notifications/index.js';
import { type FiledReportRow, ReportRepository, type ReportRow } from './report.repository.js';

/** Reports as JSON: for the reporter and for staff. */
@Injectable()
export class ReportView implements OnModuleInit {
  constructor(
    private readonly repository: ReportRepository,
    private readonly accounts: AccountView,
    private readonly bodies: ReportBodies,
  ) {}

  onModuleInit(): void {
    this.bodies.use(this);
  }

  /** A new report (reference Report). Throws NotFound when the reported account is gone. */
  async filed(report: FiledReportRow, context: ViewContext): Promise<Json> {
    const account = (await this.accounts.many([report.account_id], context)).get(report.account_id);
    if (!account) throw new NotFound();
    return Json.object({
      id: report.id,
      action_taken: false,
      action_taken_at: null,
      category: report.category,
      comment: report.comment,
      forwarded: report.forward,
      created_at: report.created_at,
      status_ids: report.status_ids,
      rule_ids: report.rule_ids,
      target_account: account,
    });
  }

  /** Reports as staff sees them (spec §2.7), by their ids: two statements for any number. */
  async many(ids: readonly string[], context: ViewContext): Promise<Map<string, Json>> {
    if (ids.length === 0) return new Map();
    const rows = await this.repository.byIds(ids);
    const accounts = await this.accounts.many(unique(rows.flatMap(accountsOf)), context);
    return new Map(
      rows.flatMap((row): [string, Json][] => {
        const account = accounts.get(row.account_id);
        return account ? [[row.id, report(row, account, accounts)]] : [];
      }),
    );
  }
}

function accountsOf({ account_id, actor_id, assigned_id, notes }: ReportRow): string[] {
  const all = [account_id, actor_id, assigned_id, ...notes.map(({ author_id }) => author_id)];
  return all.filter((id) => id !== null);
}

/** Dashboards render the comment as HTML. */
function report(row: ReportRow, account: Json, accounts: ReadonlyMap<string, Json>): Json {
  const shown = (id: string | null) => (id === null ? null : (accounts.get(id) ?? null));
  return Json.object({
    id: row.id,
    account,
    actor: shown(row.actor_id),
    content: escapeHtml(row.comment),
    created_at: row.created_at,
    state: row.state,
    statuses: row.statuses.flatMap(({ copy }) => (copy === null ? [] : [copy])),
    assigned_account: shown(row.assigned_id),
    notes: row.notes.map(({ id, content, created_at, author_id }) =>
      Json.object({
        id,
        content,
        inserted_at: created_at,
        created_at,
        user_id: author_id,
        user: shown(author_id),
      }),
    ),
    rules: row.rules,
  });
}
