import { OptionalId } from '../../common/index.js';

/** Chooses a page of a list of posts. */
export class VisitorQuery {
  /** Posts before this one. */
  @OptionalId() max_id?: string;
}
