import { WithMuted } from '../../common/index.js';

/** How statuses are shown. */
export class StatusQuery {
  @WithMuted()
  with_muted?: boolean;
}
