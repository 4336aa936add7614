import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DecimalId, Described, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';

const closed = { additionalProperties: false } as const;

/** A conversation of direct posts (spec §2.4, reference Conversation). */
export const ConversationShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the conversation.'),
    unread: Described(Type.Boolean(), 'Whether it has direct messages that the caller has not read.'),
    accounts: Described(
      Type.Array(AccountShape),
      'The other accounts of the conversation; the caller, if there are none.',
    ),
    last_status: Described(Nullable(PlainStatusShape), 'The latest direct message; null if the caller may not see it.'),
    svc: Described(
      Type.Object({ recipients: Described(Type.Array(AccountShape), 'The accounts that get the next posts.') }, closed),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Conversation' },
);

export type ConversationJson = Static<typeof ConversationShape>;
