import { type Static, Type } from 'typebox';
import { FlakeId, Nullable } from '../../common/index.js';

/** A folder of bookmarks (spec §2.6). */
export const BookmarkFolderShape = Type.Object(
  {
    id: FlakeId,
    name: Type.String({ minLength: 1 }),
    emoji: Nullable(Type.String({ minLength: 1 })),
    emoji_url: Nullable(Type.String()),
  },
  { additionalProperties: false, title: 'BookmarkFolder' },
);

export type BookmarkFolderJson = Static<typeof BookmarkFolderShape>;
