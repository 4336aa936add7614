import {
  BooleanLike,
  Describe,
  FilePart,
  Nested,
  OptionalText,
  PageNumber,
  TextOrFile,
  type UploadedFile,
} from '../../common/index.js';
import { MAX_TEXT, MAX_URL } from './pack.manifest.js';

const MAX_NAME = 5_000; // the service reports names that are too long

/** The pack's name; a missing one counts as empty (spec §7). */
export class PackQuery {
  @Describe('The name of the pack.')
  @OptionalText({ max: MAX_NAME })
  name = '';
}

export class PackPageQuery extends PackQuery {
  @PageNumber()
  page = 1;
  @Describe('The emoji of a page.')
  @PageNumber({ max: 2_000 })
  page_size = 30;
}

export class PacksQuery {
  @PageNumber({ min: 0 })
  page = 1;
  @Describe('The packs of a page.')
  @PageNumber({ max: 50 })
  page_size = 50;
}

export class RemotePacksQuery extends PacksQuery {
  @Describe('The address of the other server.')
  @OptionalText({ max: MAX_URL })
  url = '';
}

class MetadataBody {
  @Describe('The licence.')
  @OptionalText({ max: MAX_TEXT })
  license?: string;
  @Describe("The address of the pack's page.")
  @OptionalText({ max: MAX_TEXT })
  homepage?: string;
  @Describe('What the pack holds.')
  @OptionalText({ max: MAX_TEXT })
  description?: string;
  @Describe('The address from which other servers may copy the pack.')
  @OptionalText({ max: MAX_URL })
  'fallback-src'?: string;
  @Describe('The checksum of the archive at that address.')
  @OptionalText({ max: MAX_TEXT })
  'fallback-src-sha256'?: string;
  @Describe('Whether other servers may copy the pack.')
  @BooleanLike()
  'share-files'?: boolean;
}

export class DescribePackBody extends PackQuery {
  @Describe('The new description.')
  @Nested(() => MetadataBody)
  metadata?: MetadataBody;
}

export class DownloadPackBody extends RemotePacksQuery {
  @Describe('The name of the pack on the other server.')
  @OptionalText({ max: MAX_NAME })
  name = '';
  @Describe('The name of the copy; absent: the same.')
  @OptionalText({ max: MAX_NAME })
  as = '';
}

export class UnpackBody extends PackQuery {
  @Describe('The archive.')
  @FilePart()
  file?: UploadedFile | null;
  @Describe('The address of the archive, instead of a file.')
  @OptionalText({ max: MAX_URL })
  url = '';
}

export class NewFileBody extends PackQuery {
  @Describe('The picture, or its address.')
  @TextOrFile()
  file?: string | UploadedFile;
  @Describe('The name of the emoji; absent: that of the file.')
  @OptionalText({ max: MAX_NAME })
  shortcode?: string;
  @Describe('The name of the file in the pack.')
  @OptionalText({ max: MAX_NAME })
  filename?: string;
}

export class FileChangesBody extends PackQuery {
  @Describe('The name of the emoji.')
  @OptionalText({ max: MAX_NAME })
  shortcode = '';
  @Describe('The new name of the emoji.')
  @OptionalText({ max: MAX_NAME })
  new_shortcode = '';
  @Describe('The new name of the file.')
  @OptionalText({ max: MAX_NAME })
  new_filename = '';
  @Describe('Whether to replace another emoji of that name.')
  @BooleanLike()
  force = false;
}

export class PackFileQuery extends PackQuery {
  @Describe('The name of the emoji.')
  @OptionalText({ max: MAX_NAME })
  shortcode = '';
}
