import { type Static, Type } from 'typebox';
import { AccountShape } from '../accounts/index.js';
import { DateTime, DecimalId, FlakeId, Nullable } from '../common/index.js';
import { StatusShape } from '../statuses/index.js';
import { REPORT_CATEGORIES, REPORT_STATES } from './report.entities.js';

const closed = { additionalProperties: false } as const;

/** A report as its reporter sees it (reference Report). */
export const FiledReportShape = Type.Object(
  {
    id: FlakeId,
    action_taken: Type.Literal(false),
    action_taken_at: Type.Null(),
    category: Type.Enum([...REPORT_CATEGORIES]),
    comment: Type.String(),
    forwarded: Type.Boolean(),
    created_at: DateTime,
    status_ids: Type.Array(FlakeId),
    rule_ids: Type.Array(DecimalId),
    target_account: AccountShape,
  },
  { ...closed, title: 'FiledReport' },
);

const Note = Type.Object(
  {
    id: Type.Integer(),
    content: Type.String(),
    inserted_at: DateTime,
    created_at: DateTime,
    user_id: Nullable(FlakeId),
    user: Nullable(AccountShape),
  },
  closed,
);
const ReportedRule = Type.Object({ id: DecimalId, text: Type.String(), hint: Type.String() }, closed);

/** A report as staff sees it (spec §2.7). */
export const ReportShape = Type.Object(
  {
    id: FlakeId,
    account: AccountShape,
    actor: Nullable(AccountShape),
    content: Type.String(),
    created_at: DateTime,
    state: Type.Enum([...REPORT_STATES]),
    statuses: Type.Array(StatusShape),
    assigned_account: Nullable(AccountShape),
    notes: Type.Array(Note),
    rules: Type.Array(ReportedRule),
  },
  { ...closed, title: 'Report' },
);

/** A page of reports (spec §4.1.4). */
export const ReportPageShape = Type.Object(
  { total: Type.Integer({ minimum: 0 }), reports: Type.Array(ReportShape) },
  { ...closed, title: 'ReportPage' },
);

const Group = Type.Object(
  {
    /** The date of the newest report. */
    date: DateTime,
    account: AccountShape,
    status: StatusShape,
    actors: Type.Array(AccountShape),
    reports: Type.Array(ReportShape),
  },
  closed,
);

/** Reports by the posts they name (spec §4.1.4). */
export const ReportGroupsShape = Type.Object({ reports: Type.Array(Group) }, { ...closed, title: 'ReportGroups' });

export type FiledReportJson = Static<typeof FiledReportShape>;
export type ReportGroupsJson = Static<typeof ReportGroupsShape>;
export type ReportJson = Static<typeof ReportShape>;
export type ReportPageJson = Static<typeof ReportPageShape>;
