import { Describe, OneOf, TextList } from '../../common/index.js';
import { ListedNotificationsQuery, UnreadCountQuery } from '../reading/notifications.dto.js';
import type { GroupChoice } from './notification-groups.service.js';

const EXPANSIONS = ['full', 'partial_avatars'] as const;

/** Query of the list of groups (reference). */
export class NotificationGroupsQuery extends ListedNotificationsQuery {
  @Describe('The types that the app shows as groups; all that can be grouped, where it is absent.')
  @TextList()
  grouped_types?: string[];
  @Describe('`partial_avatars` returns only the newest account of each group in full.')
  @OneOf(EXPANSIONS)
  expand_accounts?: (typeof EXPANSIONS)[number];

  choice(): GroupChoice {
    return groupChoice(this, this.withFiltered);
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
