import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';
import { AttachmentShape } from '../../media/index.js';

const closed = { additionalProperties: false } as const;

/** A version of a post (reference StatusEdit). */
export const StatusEditShape = Type.Object(
  {
    content: Type.String(),
    spoiler_text: Type.String(),
    sensitive: Type.Boolean(),
    created_at: DateTime,
    account: AccountShape,
    media_attachments: Type.Array(AttachmentShape),
    emojis: Type.Array(EmojiShape),
    poll: Type.Optional(Type.Object({ options: Type.Array(Type.Object({ title: Type.String() }, closed)) }, closed)),
  },
  { ...closed, title: 'StatusEdit' },
);

export type StatusEditJson = Static<typeof StatusEditShape>;
