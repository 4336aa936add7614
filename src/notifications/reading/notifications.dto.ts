import {
  BooleanLike,
  Describe,
  IdList,
  MAX_COUNTED,
  Nested,
  OptionalId,
  PageNumber,
  PageQuery,
  TextList,
  WithMuted,
} from '../../common/index.js';
import { Visibility, type VisibilityName } from '../../statuses/index.js';
import { MARKED_TIMELINES, type MarkedTimeline } from './marker.entity.js';
import type { NotificationChoice, UnreadChoice } from './notifications.service.js';

/** Which notifications a list of them, or of their groups, has. */
export class ListedNotificationsQuery extends PageQuery {
  @Describe('The only types of notifications.')
  @TextList()
  types?: string[];
  @Describe('Types of notifications to leave out.')
  @TextList()
  exclude_types?: string[];
  @Describe('The id of the account that caused the notifications.')
  @OptionalId()
  account_id?: string;
  @Describe(
    'Whether to include notifications that wait in requests; where it is absent, those of one account are included.',
  )
  @BooleanLike()
  include_filtered?: boolean;

  /** An app that opens the request of an account reads its notifications so. */
  protected get withFiltered(): boolean {
    return this.include_filtered ?? this.account_id !== undefined;
  }
}

/** Query of the list (spec §4.3). */
export class NotificationsQuery extends ListedNotificationsQuery {
  @Describe('Another name of `types`.')
  @TextList()
  include_types?: string[];
  @Describe('Visibilities of the posts whose notifications are left out.')
  @TextList()
  exclude_visibilities?: string[];
  @WithMuted()
  with_muted = false;
  @Describe('An older option: true adds moves to the named types, false leaves them out unless they are named.')
  @BooleanLike()
  with_move?: boolean;

  choice(): NotificationChoice {
    return {
      types: this.include_types ?? this.types,
      excludedTypes: this.exclude_types ?? [],
      fromId: this.account_id,
      excludedVisibilities: (this.exclude_visibilities ?? []).filter(isVisibility),
      withMuted: this.with_muted,
      withFiltered: this.withFiltered,
      withMoves: this.with_move,
    };
  }
}

/** Query of the number of unread notifications (reference). */
export class UnreadCountQuery {
  @Describe('The only types of notifications.')
  @TextList()
  types?: string[];
  @Describe('Types of notifications to leave out.')
  @TextList()
  exclude_types?: string[];
  @Describe('The id of the account that caused the notifications.')
  @OptionalId()
  account_id?: string;
  @Describe('The number at which counting stops.')
  @PageNumber({ max: MAX_COUNTED })
  limit = 100;

  choice(): UnreadChoice {
    return { types: this.types, excludedTypes: this.exclude_types ?? [], fromId: this.account_id };
  }
}

export class NotificationIdBody {
  @Describe('The id of the notification.')
  @OptionalId()
  id?: string;
}

export class ReadNotificationsBody extends NotificationIdBody {
  @Describe('Marks all notifications up to this id.')
  @OptionalId()
  max_id?: string;
}

export class NotificationIdsQuery {
  @Describe('The ids of the notifications.')
  @IdList()
  ids?: string[];
}

/** Omitted fields stay unchanged. */
export class NotificationSettingsBody {
  @Describe('Whether to drop notifications by accounts that the caller does not follow.')
  @BooleanLike()
  block_from_strangers?: boolean;
  @Describe('Whether push messages leave out names and texts.')
  @BooleanLike()
  hide_notification_contents?: boolean;
}

export class MarkersQuery {
  @Describe('The timelines: `home`, `notifications`.')
  @TextList()
  timeline?: string[];

  /** Ignores unknown names. */
  timelines(): MarkedTimeline[] {
    return MARKED_TIMELINES.filter((timeline) => this.timeline?.includes(timeline));
  }
}

export class MarkerBody {
  @Describe('The id of the last entry that was read.')
  @OptionalId()
  last_read_id?: string;
}

export class MarkersBody {
  @Describe('The position on the home timeline.')
  @Nested(() => MarkerBody)
  home?: MarkerBody;
  @Describe('The position in the notifications.')
  @Nested(() => MarkerBody)
  notifications?: MarkerBody;

  positions(): Map<MarkedTimeline, string> {
    const given = MARKED_TIMELINES.flatMap((timeline): [MarkedTimeline, string][] => {
      const id = this[timeline]?.last_read_id;
      return id === undefined ? [] : [[timeline, id]];
    });
    return new Map(given);
  }
}

function isVisibility(name: string): name is VisibilityName {
  return Object.hasOwn(Visibility, name);
}
