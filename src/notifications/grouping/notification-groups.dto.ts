import { BooleanLike, Describe, OneOf, OptionalId, PageQuery, TextList } from '../../common/index.js';
import { UnreadCountQuery } from '../reading/notifications.dto.js';
import type { GroupChoice } from './notification-groups.service.js';

const EXPANSIONS = ['full', 'partial_avatars'] as const;

/** Query of the list of groups (reference). */
export class NotificationGroupsQuery extends PageQuery {
  @Describe('The only types of notifications.')
  @TextList()
  types?: string[];
  @Describe('Types of notifications to leave out.')
  @TextList()
  exclude_types?: string[];
  @Describe('The id of the account that caused the notifications.')
  @OptionalId()
  account_id?: string;
  @Describe('The types that the app shows as groups; all that can be grouped, where it is absent.')
  @TextList()
  grouped_types?: string[];
  @Describe(
    'Whether to include notifications that wait in requests; where it is absent, those of one account are included.',
  )
  @BooleanLike()
  include_filtered?: boolean;
  @Describe('`partial_avatars` returns only the newest account of each group in full.')
  @OneOf(EXPANSIONS)
  expand_accounts?: (typeof EXPANSIONS)[number];

  choice(): GroupChoice {
    return groupChoice(this, this.include_filtered ?? this.account_id !== undefined);
  }
}

/** Query of the number of groups with unread notifications (reference). */
export class UnreadGroupsQuery extends UnreadCountQuery {
  @Describe('The types that the app shows as groups; all that can be grouped, where it is absent.')
  @TextList()
  grouped_types?: string[];

  override choice(): GroupChoice {
    return groupChoice(this, false);
  }
}

function groupChoice(
  query: Pick<UnreadGroupsQuery, 'types' | 'exclude_types' | 'account_id' | 'grouped_types'>,
  withFiltered: boolean,
): GroupChoice {
  const { types, exclude_types: excludedTypes = [], account_id: fromId, grouped_types: groupedTypes } = query;
  return { types, excludedTypes, fromId, groupedTypes, withFiltered };
}
