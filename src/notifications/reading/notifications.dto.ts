import { BooleanLike, IdList, Nested, OptionalId, PageNumber, PageQuery, TextList } from '../../common/index.js';
import { Visibility, type VisibilityName } from '../../statuses/index.js';
import { MARKED_TIMELINES, type MarkedTimeline } from './marker.entity.js';
import type { NotificationChoice, UnreadChoice } from './notifications.service.js';

/** Query of the list (spec §4.3). */
export class NotificationsQuery extends PageQuery {
  @TextList() include_types?: string[];
  /** The reference's name for `include_types`. */
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  @TextList() exclude_visibilities?: string[];
  @BooleanLike() with_muted = false;
  /** Also those that wait in requests. */
  @BooleanLike() include_filtered = false;
  /** An older option: true adds moves to the named types, false leaves them out unless they are named. */
  @BooleanLike() with_move?: boolean;

  choice(): NotificationChoice {
    return {
      types: this.include_types ?? this.types,
      excludedTypes: this.exclude_types ?? [],
      fromId: this.account_id,
      excludedVisibilities: (this.exclude_visibilities ?? []).filter(isVisibility),
      withMuted: this.with_muted,
      withFiltered: this.include_filtered,
      withMoves: this.with_move,
    };
  }
}

/** Query of the number of unread notifications (reference). */
export class UnreadCountQuery {
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  /** The maximum count. */
  @PageNumber({ max: 1_000 }) limit = 100;

  choice(): UnreadChoice {
    return { types: this.types, excludedTypes: this.exclude_types ?? [], fromId: this.account_id };
  }
}

export class NotificationIdBody {
  @OptionalId() id?: string;
}

export class ReadNotificationsBody extends NotificationIdBody {
  /** Marks all notifications up to this id. */
  @OptionalId() max_id?: string;
}

export class NotificationIdsQuery {
  @IdList() ids?: string[];
}

/** Omitted fields stay unchanged. */
export class NotificationSettingsBody {
  @BooleanLike() block_from_strangers?: boolean;
  @BooleanLike() hide_notification_contents?: boolean;
}

export class MarkersQuery {
  @TextList() timeline?: string[];

  /** Ignores unknown names. */
  timelines(): MarkedTimeline[] {
    return MARKED_TIMELINES.filter((timeline) => this.timeline?.includes(timeline));
  }
}

export class MarkerBody {
  @OptionalId() last_read_id?: string;
}

export class MarkersBody {
  @Nested(() => MarkerBody) home?: MarkerBody;
  @Nested(() => MarkerBody) notifications?: MarkerBody;

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
