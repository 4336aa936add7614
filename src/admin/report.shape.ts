import { type Static, type TSchema, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { DateTime, DecimalId, Described, FlakeId, Nullable } from '../common/index.js';
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

const ReportedRule = Type.Object({ id: DecimalId, text: Type.String(), hint: Type.String() }, closed);

/** The fields of a report, with accounts of one kind. */
function fieldsWith<Account extends TSchema>(account: Account) {
  const note = {
    id: Type.Integer(),
    content: Type.String(),
    inserted_at: DateTime,
    created_at: Described(DateTime, 'When it was created.'),
    user_id: Nullable(FlakeId),
    user: Nullable(account),
  };
  return {
    id: FlakeId,
    account,
    actor: Nullable(account),
    content: Type.String(),
    created_at: DateTime,
    state: Type.Enum([...REPORT_STATES]),
    statuses: Type.Array(StatusShape),
    assigned_account: Nullable(account),
    notes: Type.Array(Type.Object(note, closed)),
    rules: Type.Array(ReportedRule),
  };
}

/** A report in a notification to the staff (spec §2.7). */
export const ReportShape = Type.Object(fieldsWith(AccountShape), { ...closed, title: 'Report' });

/** A report of the administrative API, with all that administrators see of its accounts. */
export const StaffReportShape = Type.Object(fieldsWith(MergedAccountShape), { ...closed, title: 'StaffReport' });

/** A page of reports (spec §4.1.4). */
export const ReportPageShape = Type.Object(
  { total: Type.Integer({ minimum: 0 }), reports: Type.Array(StaffReportShape) },
  { ...closed, title: 'ReportPage' },
);

const Group = Type.Object(
  {
    /** The date of the newest report. */
    date: DateTime,
    account: Described(MergedAccountShape, 'The account.'),
    status: StatusShape,
    actors: Type.Array(MergedAccountShape),
    reports: Type.Array(StaffReportShape),
  },
  closed,
);

/** Reports by the posts they name (spec §4.1.4). */
export const ReportGroupsShape = Type.Object({ reports: Type.Array(Group) }, { ...closed, title: 'ReportGroups' });

export type FiledReportJson = Static<typeof FiledReportShape>;
export type ReportGroupsJson = Static<typeof ReportGroupsShape>;
export type ReportJson = Static<typeof ReportShape>;
export type StaffReportJson = Static<typeof StaffReportShape>;
export type ReportPageJson = Static<typeof ReportPageShape>;
