import { type Static, Type } from 'typebox';
import { FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const ActorShape = Type.Object(
  { id: Nullable(FlakeId), nickname: Type.String(), type: Type.Enum(['user', 'operator']) },
  closed,
);
const SubjectShape = Type.Object(
  { type: Type.String(), id: Type.String(), nickname: Type.Optional(Type.String()) },
  closed,
);
const EntryShape = Type.Object(
  {
    id: Type.Integer(),
    /** With further facts of the action. */
    data: Type.Object({ actor: ActorShape, action: Type.String(), subject: Type.Array(SubjectShape) }),
    time: Type.Integer(),
    message: Type.String(),
  },
  closed,
);

/** A page of the moderation log (spec §4.1.5). */
export const ModerationLogShape = Type.Object(
  { items: Type.Array(EntryShape), total: Type.Integer() },
  { ...closed, title: 'ModerationLog' },
);

export type ModerationLogJson = Static<typeof ModerationLogShape>;
