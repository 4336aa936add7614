import { Type } from 'typebox';
import { DecimalId } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** A rule as administrators see it. */
export const AdminRuleShape = Type.Object(
  { id: DecimalId, priority: Type.Integer(), text: Type.String(), hint: Type.String() },
  { ...closed, title: 'AdminRule' },
);

/** Numbers of posts (spec §4.1.5). */
export const StatsShape = Type.Object(
  {
    status_visibility: Type.Object({ direct: Count, private: Count, public: Count, unlisted: Count }, closed),
  },
  { ...closed, title: 'Stats' },
);

/** The public address of a document (spec §4.1.8). */
export const DocumentUrlShape = Type.Object({ url: Type.String() }, { ...closed, title: 'DocumentUrl' });
