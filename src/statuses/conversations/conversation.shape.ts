import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DecimalId, Nullable } from '../../common/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';

const closed = { additionalProperties: false } as const;

/** A conversation of direct posts (spec §2.4, reference Conversation). */
export const ConversationShape = Type.Object(
  {
    id: DecimalId,
    unread: Type.Boolean(),
    accounts: Type.Array(AccountShape),
    last_status: Nullable(PlainStatusShape),
    svc: Type.Object({ recipients: Type.Array(AccountShape) }, closed),
  },
  { ...closed, title: 'Conversation' },
);

export type ConversationJson = Static<typeof ConversationShape>;
