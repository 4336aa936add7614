import { type Static, Type } from 'typebox';
import { Described, FlakeId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

const ActorShape = Type.Object(
  {
    id: Described(Nullable(FlakeId), 'The id of the account; null for the operator.'),
    nickname: Described(Type.String(), 'The nickname, for other servers with the domain; `operator` for the operator.'),
    type: Described(
      Type.Enum(['user', 'operator']),
      'Whether an account of the staff acted, or the operator with the admin token or at the command line.',
    ),
  },
  closed,
);
const SubjectShape = Type.Object(
  {
    type: Described(Type.String(), 'The kind of the object.'),
    id: Described(Type.String(), 'The id or the name of the object.'),
    nickname: Described(Type.Optional(Type.String()), 'The nickname of the account, or of the reported account.'),
  },
  closed,
);
const EntryShape = Type.Object(
  {
    id: Described(Type.Integer(), 'The id of the entry.'),
    data: Described(
      Type.Object({
        actor: Described(ActorShape, 'The member of the staff that acted.'),
        action: Described(Type.String(), 'The name of the action.'),
        subject: Described(Type.Array(SubjectShape), 'The objects of the action.'),
      }),
      'The action, with further facts of its own.',
    ),
    time: Described(Type.Integer(), 'When it was done, as Unix time in seconds.'),
    message: Described(Type.String(), 'The action in an English sentence.'),
  },
  closed,
);

/** A page of the moderation log (spec §4.1.5). */
export const ModerationLogShape = Type.Object(
  {
    items: Described(Type.Array(EntryShape), 'The entries of the page, the newest first.'),
    total: Described(Type.Integer(), 'The total number.'),
  },
  { ...closed, title: 'ModerationLog' },
);

export type ModerationLogJson = Static<typeof ModerationLogShape>;
