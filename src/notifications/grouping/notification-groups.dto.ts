import { BooleanLike, OneOf, OptionalId, PageNumber, PageQuery, TextList } from '../../common/index.js';
import type { GroupChoice } from './notification-groups.service.js';

const EXPANSIONS = ['full', 'partial_avatars'] as const;

/** Query of the list of groups (reference). */
export class NotificationGroupsQuery extends PageQuery {
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  /** The types that the app shows as groups; all that can be grouped, where it is absent. */
  @TextList() grouped_types?: string[];
  /** Also those that wait in requests. */
  @BooleanLike() include_filtered = false;
  /** `partial_avatars`: only the newest account of each group as a whole. */
  @OneOf(EXPANSIONS) expand_accounts?: (typeof EXPANSIONS)[number];

  choice(): GroupChoice {
    return groupChoice(this, this.include_filtered);
  }
}

/** Query of the number of groups with unread notifications (reference). */
export class UnreadGroupsQuery {
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  @TextList() grouped_types?: string[];
  /** The maximum count. */
  @PageNumber({ max: 1_000 }) limit = 100;

  choice(): GroupChoice {
    return groupChoice(this, false);
  }
}

function groupChoice(query: Omit<UnreadGroupsQuery, 'limit' | 'choice'>, withFiltered: boolean): GroupChoice {
  const { types, exclude_types: excludedTypes = [], account_id: fromId, grouped_types: groupedTypes } = query;
  return { types, excludedTypes, fromId, groupedTypes, withFiltered };
}
