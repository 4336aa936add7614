import { BooleanLike, Describe, OptionalText, PageNumber, PageSize } from '../../common/index.js';

const MAX_PAGE = 100;
const MAX_WORD = 64;

/** The statuses of a server. */
export class ServerStatusesQuery {
  @Describe('Whether to include posts that are not public.')
  @BooleanLike()
  godmode = false;
  @Describe('Whether to include reblogs.')
  @BooleanLike()
  with_reblogs = false;
  @PageNumber()
  page = 1;
  @PageSize({ max: MAX_PAGE })
  page_size = 20;

  get filter() {
    return { everyVisibility: this.godmode, withReblogs: this.with_reblogs };
  }

  get bounds() {
    return { limit: this.page_size, offset: (this.page - 1) * this.page_size };
  }
}

export class AdminStatusesQuery extends ServerStatusesQuery {
  @Describe('Whether to list only posts of this server.')
  @BooleanLike()
  local_only = false;
  @PageSize({ max: MAX_PAGE })
  override page_size = 50;
}

export class AdminStatusBody {
  @Describe('Whether apps hide the media until the reader opens them.')
  @BooleanLike()
  sensitive?: boolean;
  /** The service checks it, since its refusal has a body of its own. */
  @Describe('Who sees the post: `public`, `unlisted` or `private`.')
  @OptionalText({ max: MAX_WORD })
  visibility?: string;
}
