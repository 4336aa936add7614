import { Describe, IdList, Invalid, PageQuery, WithMuted } from '../../common/index.js';

const RECIPIENTS = 100;

/** `GET /api/v1/conversations` (spec §4.3). */
export class ConversationsQuery extends PageQuery {
  @Describe('The ids of accounts that the conversations must have.')
  @IdList({ max: RECIPIENTS })
  recipients?: string[];
}

/** `GET /api/v1/svc/conversations/:id/statuses`. */
export class ConversationStatusesQuery extends PageQuery {
  @WithMuted()
  with_muted?: boolean;
}

/** `PATCH /api/v1/svc/conversations/:id` (spec §4.2). */
export class RecipientsBody {
  @Describe('The ids of the accounts that get the next posts.')
  @IdList({ max: RECIPIENTS })
  recipients?: string[];

  /** @throws Invalid when the list is missing */
  wanted(): string[] {
    if (this.recipients === undefined) throw new Invalid('recipients is missing');
    return this.recipients;
  }
}
