import { BooleanLike } from '../../common/index.js';

/** How statuses are shown. */
export class StatusQuery {
  @BooleanLike()
  with_muted?: boolean;
}
