import { OptionalId } from '../common/index.js';

/** Which page of a list of posts. */
export class VisitorQuery {
  /** Posts before this one. */
  @OptionalId() max_id?: string;
}
