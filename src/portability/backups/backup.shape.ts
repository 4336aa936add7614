import { type Static, Type } from 'typebox';
import { DateTime, DecimalId } from '../../common/index.js';

/** An archive of the caller's account (spec §2.6, Backup). */
export const BackupShape = Type.Object(
  {
    id: DecimalId,
    content_type: Type.Literal('application/zip'),
    file_size: Type.Integer({ minimum: 0 }),
    inserted_at: DateTime,
    processed: Type.Boolean(),
    url: Type.String({ pattern: String.raw`^https?://\S+$` }),
  },
  { additionalProperties: false, title: 'Backup' },
);

export type BackupJson = Static<typeof BackupShape>;
