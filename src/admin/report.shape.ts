import { type Static, type TSchema, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../common/index.js';
import { RuleShape } from '../instance/index.js';
import { StatusShape } from '../statuses/index.js';
import { MergedAccountShape } from './users/admin-user.shape.js';
import { REPORT_CATEGORIES, REPORT_STATES } from './report.entities.js';

const closed = { additionalProperties: false } as const;

/** A report as its reporter sees it (reference Report). */
export const FiledReportShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the report.'),
    action_taken: Described(Type.Literal(false), 'Whether the staff has closed it: always false.'),
    action_taken_at: Described(Type.Null(), 'When the staff closed it: always null.'),
    category: Described(Type.Enum([...REPORT_CATEGORIES]), 'The kind of the report.'),
    comment: Described(Type.String(), 'The reasons.'),
    forwarded: Described(Type.Boolean(), 'Whether it was sent to the server of the account.'),
    created_at: Described(DateTime, 'When it was filed.'),
    status_ids: Described(Type.Array(FlakeId), 'The ids of the reported posts.'),
    rule_ids: Described(Type.Array(DecimalId), 'The ids of the broken rules.'),
    target_account: Described(AccountShape, 'The reported account.'),
  },
  { ...closed, title: 'FiledReport' },
);

/** The fields of a report, with accounts of one kind. */
function fieldsWith<Account extends TSchema>(account: Account) {
  const note = {
    id: Described(Type.Integer(), 'The id of the note.'),
    content: Described(Type.String(), 'The text of the note.'),
    inserted_at: Described(DateTime, 'The older name of `created_at`.'),
    created_at: Described(DateTime, 'When the note was written.'),
    user_id: Described(Nullable(FlakeId), 'The id of the member of the staff that wrote it; null for the operator.'),
    user: Described(
      Nullable(account),
      'The member of the staff that wrote it; null for the operator, or if the account is gone.',
    ),
  };
  return {
    id: Described(FlakeId, 'The id of the report.'),
    account: Described(account, 'The reported account.'),
    actor: Described(Nullable(account), 'The account that reported; null if it is gone.'),
    content: Described(Type.String(), 'The reasons.'),
    created_at: Described(DateTime, 'When it was filed.'),
    state: Described(Type.Enum([...REPORT_STATES]), 'Whether the staff has dealt with it.'),
    statuses: Described(Type.Array(StatusShape), 'The reported posts as the reporter saw them.'),
    assigned_account: Described(Nullable(account), 'The member of the staff that takes care of it; null for none.'),
    notes: Described(Type.Array(Type.Object(note, closed)), 'The notes of the staff.'),
    rules: Described(Type.Array(RuleShape), 'The rules that it says were broken.'),
  };
}

/** A report in a notification to the staff (spec §2.7). */
export const ReportShape = Type.Object(fieldsWith(AccountShape), { ...closed, title: 'Report' });

/** A report of the administrative API, with all that administrators see of its accounts. */
export const StaffReportShape = Type.Object(fieldsWith(MergedAccountShape), { ...closed, title: 'StaffReport' });

/** A page of reports (spec §4.1.4). */
export const ReportPageShape = Type.Object(
  {
    total: Described(Type.Integer({ minimum: 0 }), 'The total number.'),
    reports: Described(Type.Array(StaffReportShape), 'The reports of the page, the newest first.'),
  },
  { ...closed, title: 'ReportPage' },
);

const Group = Type.Object(
  {
    date: Described(DateTime, 'When the newest of the reports was filed.'),
    account: Described(MergedAccountShape, 'The reported account.'),
    status: Described(StatusShape, 'The reported post.'),
    actors: Described(Type.Array(MergedAccountShape), 'The accounts that reported it.'),
    reports: Described(Type.Array(StaffReportShape), 'The open reports of the post, the newest first.'),
  },
  closed,
);

/** Reports by the posts they name (spec §4.1.4). */
export const ReportGroupsShape = Type.Object(
  { reports: Described(Type.Array(Group), 'The groups of reports, one for each reported post.') },
  { ...closed, title: 'ReportGroups' },
);

export type FiledReportJson = Static<typeof FiledReportShape>;
export type ReportGroupsJson = Static<typeof ReportGroupsShape>;
export type ReportJson = Static<typeof ReportShape>;
export type StaffReportJson = Static<typeof StaffReportShape>;
export type ReportPageJson = Static<typeof ReportPageShape>;
