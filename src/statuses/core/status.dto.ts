import { BooleanLike, Describe } from '../../common/index.js';

/** How statuses are shown. */
export class StatusQuery {
  @Describe('Whether to include posts and notifications of muted accounts and threads.')
  @BooleanLike()
  with_muted?: boolean;
}
