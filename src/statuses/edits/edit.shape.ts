import { type Static, Type } from 'typebox';
import { AccountShape } from '../../accounts/index.js';
import { DateTime, Described } from '../../common/index.js';
import { EmojiShape } from '../../emoji/index.js';
import { AttachmentShape } from '../../media/index.js';

const closed = { additionalProperties: false } as const;

/** A version of a post (reference StatusEdit). */
export const StatusEditShape = Type.Object(
  {
    content: Described(Type.String(), 'The text as HTML.'),
    spoiler_text: Described(Type.String(), 'The content warning; empty for none.'),
    sensitive: Described(Type.Boolean(), 'Whether the media were sensitive.'),
    created_at: Described(DateTime, 'When this version was published.'),
    account: Described(AccountShape, 'The author.'),
    media_attachments: Described(Type.Array(AttachmentShape), 'The media of this version.'),
    emojis: Described(Type.Array(EmojiShape), 'The custom emoji that the texts use.'),
    poll: Described(
      Type.Optional(
        Type.Object(
          {
            options: Described(
              Type.Array(Type.Object({ title: Described(Type.String(), 'The text of the option.') }, closed)),
              'The options of the poll.',
            ),
          },
          closed,
        ),
      ),
      'The poll of this version.',
    ),
  },
  { ...closed, title: 'StatusEdit' },
);

export type StatusEditJson = Static<typeof StatusEditShape>;
