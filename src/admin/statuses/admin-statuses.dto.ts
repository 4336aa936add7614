import { BooleanLike, OptionalText, PageNumber } from '../../common/index.js';

const MAX_PAGE = 100;
const MAX_WORD = 64;

/** The statuses of a server. */
export class ServerStatusesQuery {
  /** Whether to include posts that are not public. */
  @BooleanLike() godmode = false;
  @BooleanLike() with_reblogs = false;
  @PageNumber() page = 1;
  @PageNumber({ max: MAX_PAGE }) page_size = 20;

  get filter() {
    return { everyVisibility: this.godmode, withReblogs: this.with_reblogs };
  }

  get bounds() {
    return { limit: this.page_size, offset: (this.page - 1) * this.page_size };
  }
}

export class AdminStatusesQuery extends ServerStatusesQuery {
  @BooleanLike() local_only = false;
  @PageNumber({ max: MAX_PAGE }) override page_size = 50;
}

export class AdminStatusBody {
  @BooleanLike() sensitive?: boolean;
  /** The service checks it, since its refusal has a body of its own. */
  @OptionalText({ max: MAX_WORD }) visibility?: string;
}
