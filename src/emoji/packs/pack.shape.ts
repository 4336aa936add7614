import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** File names by shortcodes. */
export const PackFilesShape = Type.Record(Type.String(), Type.String());

const metadata = {
  license: Described(Type.String(), 'The licence; empty if unknown.'),
  homepage: Described(Type.String(), "The address of the pack's page; empty for none."),
  description: Described(Type.String(), 'The description of the pack.'),
  'fallback-src': Described(
    Type.Optional(Type.String()),
    'The address of an archive from which other servers may copy the pack.',
  ),
  'fallback-src-sha256': Described(Type.Optional(Type.String()), 'The SHA-256 of that archive in hexadecimal.'),
  'share-files': Described(Type.Boolean(), 'Whether other servers may copy the pack.'),
};

/** The metadata of a pack (spec §2.6). */
export const PackMetadataShape = Type.Object(metadata, { ...closed, title: 'EmojiPackMetadata' });

/** A pack of custom emoji (spec §2.6). Packs of other servers have no `can_download`. */
export const PackShape = Type.Object(
  {
    files: Described(PackFilesShape, 'The names of the files of the page, by shortcode.'),
    files_count: Described(Type.Integer({ minimum: 0 }), 'The number of all files of the pack.'),
    pack: Described(
      Type.Object(
        {
          ...metadata,
          'can-download': Described(
            Type.Optional(Type.Boolean()),
            'Whether this server offers the pack as an archive; absent for packs of other servers.',
          ),
          'download-sha256': Described(
            Type.Optional(Type.String({ pattern: '^[0-9A-F]{64}$' })),
            'The SHA-256 of that archive in hexadecimal.',
          ),
        },
        closed,
      ),
      'What the pack says about itself.',
    ),
  },
  { ...closed, title: 'EmojiPack' },
);

/** A page of packs by name, with their total. */
export const PacksShape = Type.Object(
  {
    packs: Described(Type.Record(Type.String(), PackShape), 'The packs by their names.'),
    count: Described(Type.Integer({ minimum: 0 }), 'The total number.'),
  },
  { ...closed, title: 'EmojiPacks' },
);

export type PackJson = Static<typeof PackShape>;
export type PacksJson = Static<typeof PacksShape>;
