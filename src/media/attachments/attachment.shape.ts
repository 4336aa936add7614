import { type Static, Type } from 'typebox';
import { DecimalId, Described, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });
const Pixels = Type.Integer({ minimum: 1 });

const Size = Type.Object(
  {
    width: Described(Pixels, 'The width in pixels.'),
    height: Described(Pixels, 'The height in pixels.'),
    size: Described(Type.String(), 'Width and height, such as `640x480`.'),
    aspect: Described(Type.Number({ exclusiveMinimum: 0 }), 'The width divided by the height.'),
  },
  closed,
);

const Original = Type.Object(
  {
    width: Described(Type.Optional(Pixels), 'The width in pixels.'),
    height: Described(Type.Optional(Pixels), 'The height in pixels.'),
    size: Described(
      Type.Optional(Type.String({ pattern: String.raw`^\d+x\d+$` })),
      'Width and height, such as `640x480`.',
    ),
    aspect: Described(Type.Optional(Type.Number({ exclusiveMinimum: 0 })), 'The width divided by the height.'),
    duration: Described(Type.Optional(Type.Number({ exclusiveMinimum: 0 })), 'The length in seconds.'),
  },
  closed,
);

/** An attachment of a post, or an upload that is not posted yet (reference MediaAttachment; spec §2.3). */
export const AttachmentShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the file.'),
    type: Described(Type.Enum(['image', 'video', 'audio', 'unknown']), 'The kind of the file.'),
    url: Described(Url, 'The address of the file.'),
    preview_url: Described(Nullable(Url), 'The address of a smaller picture of it; null for none.'),
    remote_url: Described(Nullable(Url), 'The address of the file on its own server; null for one of this server.'),
    preview_remote_url: Described(
      Nullable(Url),
      'The address of the smaller picture on its own server; null for none.',
    ),
    text_url: Described(Url, 'The older name of `url`.'),
    description: Described(Nullable(Type.String()), 'The description for people who do not see it; null for none.'),
    meta: Described(
      Type.Optional(
        Type.Object(
          {
            original: Described(Original, 'The measures of the file.'),
            small: Described(Type.Optional(Size), 'The measures of the smaller picture.'),
          },
          closed,
        ),
      ),
      'Its measures, as far as they are known.',
    ),
    blurhash: Described(Nullable(Type.String()), 'A blurred form to show while it loads; null for none.'),
    svc: Described(
      Type.Object({ mime_type: Described(Type.String(), 'The media type.') }, closed),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Attachment' },
);

export type AttachmentJson = Static<typeof AttachmentShape>;
