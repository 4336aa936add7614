import { type Static, Type } from 'typebox';
import { Described, FlakeId, Nullable } from '../../common/index.js';

/** A folder of bookmarks (spec §2.6). */
export const BookmarkFolderShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the folder.'),
    name: Described(Type.String({ minLength: 1 }), 'The name of the folder.'),
    emoji: Described(Nullable(Type.String({ minLength: 1 })), 'The emoji of the folder; null for none.'),
    emoji_url: Described(Nullable(Type.String()), 'The address of a custom emoji; null for another one.'),
  },
  { additionalProperties: false, title: 'BookmarkFolder' },
);

export type BookmarkFolderJson = Static<typeof BookmarkFolderShape>;
