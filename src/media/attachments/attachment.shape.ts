import { type Static, Type } from 'typebox';
import { DecimalId, Nullable } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Url = Type.String({ pattern: String.raw`^https?://\S+$` });
const Pixels = Type.Integer({ minimum: 1 });

const Size = Type.Object(
  { width: Pixels, height: Pixels, size: Type.String(), aspect: Type.Number({ exclusiveMinimum: 0 }) },
  closed,
);

const Original = Type.Object(
  {
    width: Type.Optional(Pixels),
    height: Type.Optional(Pixels),
    size: Type.Optional(Type.String({ pattern: String.raw`^\d+x\d+$` })),
    aspect: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    duration: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  },
  closed,
);

/** An attachment of a post, or an upload that is not posted yet (reference MediaAttachment; spec §2.3). */
export const AttachmentShape = Type.Object(
  {
    id: DecimalId,
    type: Type.Enum(['image', 'video', 'audio', 'unknown']),
    url: Url,
    preview_url: Nullable(Url),
    remote_url: Nullable(Url),
    preview_remote_url: Nullable(Url),
    text_url: Url,
    description: Nullable(Type.String()),
    meta: Type.Optional(Type.Object({ original: Original, small: Type.Optional(Size) }, closed)),
    blurhash: Nullable(Type.String()),
    svc: Type.Object({ mime_type: Type.String() }, closed),
  },
  { ...closed, title: 'Attachment' },
);

export type AttachmentJson = Static<typeof AttachmentShape>;
