import { Describe, EmptyToNull, OptionalId, OptionalText, PageQuery, RequiredText } from '../../common/index.js';

const NAME_LENGTH = 255;
const EMOJI_LENGTH = 64;

/** `POST /api/v1/statuses/:id/bookmark` (spec §4.3). */
export class BookmarkBody {
  @Describe('The id of a bookmark folder.')
  @OptionalId()
  folder_id?: string;
}

/** Query of `GET /api/v1/bookmarks` (spec §4.3). */
export class BookmarksQuery extends PageQuery {
  @Describe('The id of a bookmark folder.')
  @OptionalId()
  folder_id?: string;
}

export class NewFolderBody {
  @Describe('The name of the folder.')
  @RequiredText({ max: NAME_LENGTH })
  name: string;
  @Describe('An emoji, or the name of a custom one; empty: none.')
  @EmptyToNull({ max: EMOJI_LENGTH })
  emoji: string | null = null;
}

/** Omitted fields stay unchanged; an empty emoji is removed. */
export class FolderChangesBody {
  @Describe('The name of the folder.')
  @OptionalText({ max: NAME_LENGTH })
  name?: string;
  @Describe('An emoji, or the name of a custom one; empty: none.')
  @EmptyToNull({ max: EMOJI_LENGTH })
  emoji?: string | null;
}
