import {
  BooleanLike,
  FilePart,
  Nested,
  OptionalText,
  PageNumber,
  TextOrFile,
  type UploadedFile,
} from '../../common/index.js';

const MAX_NAME = 5_000; // the service reports names that are too long
const MAX_TEXT = 5_000;
const MAX_URL = 16_384;

/** The pack's name; a missing one counts as empty (spec §7). */
export class PackQuery {
  @OptionalText({ max: MAX_NAME }) name = '';
}

export class PackPageQuery extends PackQuery {
  @PageNumber() page = 1;
  @PageNumber({ max: 2_000 }) page_size = 30;
}

export class PacksQuery {
  @PageNumber() page = 1;
  @PageNumber({ max: 50 }) page_size = 50;
}

export class RemotePacksQuery extends PacksQuery {
  @OptionalText({ max: MAX_URL }) url = '';
}

class MetadataBody {
  @OptionalText({ max: MAX_TEXT }) license?: string;
  @OptionalText({ max: MAX_TEXT }) homepage?: string;
  @OptionalText({ max: MAX_TEXT }) description?: string;
  @OptionalText({ max: MAX_URL }) 'fallback-src'?: string;
  @OptionalText({ max: MAX_NAME }) 'fallback-src-sha256'?: string;
  @BooleanLike() 'share-files'?: boolean;
}

export class DescribePackBody extends PackQuery {
  @Nested(() => MetadataBody) metadata?: MetadataBody;
}

export class DownloadPackBody extends RemotePacksQuery {
  @OptionalText({ max: MAX_NAME }) name = '';
  @OptionalText({ max: MAX_NAME }) as = '';
}

export class UnpackBody extends PackQuery {
  @FilePart() file?: UploadedFile | null;
  @OptionalText({ max: MAX_URL }) url = '';
}

export class NewFileBody extends PackQuery {
  @TextOrFile() file?: string | UploadedFile;
  @OptionalText({ max: MAX_NAME }) shortcode?: string;
  @OptionalText({ max: MAX_NAME }) filename?: string;
}

export class FileChangesBody extends PackQuery {
  @OptionalText({ max: MAX_NAME }) shortcode = '';
  @OptionalText({ max: MAX_NAME }) new_shortcode = '';
  @OptionalText({ max: MAX_NAME }) new_filename = '';
  @BooleanLike() force = false;
}

export class PackFileQuery extends PackQuery {
  @OptionalText({ max: MAX_NAME }) shortcode = '';
}
