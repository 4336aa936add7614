import { type Static, Type } from 'typebox';
import { DateTime, DecimalId, Described, Nullable } from '../../common/index.js';

/** An archive of the caller's account (spec §2.6, Backup). */
export const BackupShape = Type.Object(
  {
    id: Described(DecimalId, 'The id of the archive.'),
    content_type: Described(Type.Literal('application/zip'), 'The media type.'),
    file_size: Described(Type.Integer({ minimum: 0 }), 'The size in bytes; 0 until it is ready.'),
    inserted_at: Described(DateTime, 'When it was ordered.'),
    processed: Described(Type.Boolean(), 'Whether it is ready.'),
    url: Described(
      Nullable(Type.String({ pattern: String.raw`^https?://\S+$` })),
      'The secret address of the file; null for tokens without the whole scope `read`.',
    ),
  },
  { additionalProperties: false, title: 'Backup' },
);

export type BackupJson = Static<typeof BackupShape>;
