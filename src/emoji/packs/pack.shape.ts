import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** File names by shortcodes. */
export const PackFilesShape = Type.Record(Type.String(), Type.String());

const metadata = {
  license: Type.String(),
  homepage: Type.String(),
  description: Type.String(),
  'fallback-src': Type.Optional(Type.String()),
  'fallback-src-sha256': Type.Optional(Type.String()),
  'share-files': Type.Boolean(),
};

/** The metadata of a pack (spec §2.6). */
export const PackMetadataShape = Type.Object(metadata, { ...closed, title: 'EmojiPackMetadata' });

/** A pack of custom emoji (spec §2.6). Packs of other servers have no `can_download`. */
export const PackShape = Type.Object(
  {
    files: PackFilesShape,
    files_count: Type.Integer({ minimum: 0 }),
    pack: Type.Object(
      {
        ...metadata,
        'can-download': Type.Optional(Type.Boolean()),
        'download-sha256': Type.Optional(Type.String({ pattern: '^[0-9A-F]{64}$' })),
      },
      closed,
    ),
  },
  { ...closed, title: 'EmojiPack' },
);

/** A page of packs by name, with their total. */
export const PacksShape = Type.Object(
  { packs: Type.Record(Type.String(), PackShape), count: Described(Type.Integer({ minimum: 0 }), 'The total number.') },
  { ...closed, title: 'EmojiPacks' },
);

export type PackJson = Static<typeof PackShape>;
export type PacksJson = Static<typeof PacksShape>;
