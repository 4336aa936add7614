import { BooleanLike, IdList, Nested, OptionalId, PageNumber, PageQuery, TextList } from '../../common/index.js';
import { Visibility, type VisibilityName } from '../../statuses/index.js';
import { MARKED_TIMELINES, type MarkedTimeline } from './marker.entity.js';
import type { NotificationChoice, UnreadChoice } from './notifications.service.js';

/** Query of the list (spec §4.3). */
export class NotificationsQuery extends PageQuery {
  @TextList() include_types?: string[];
  /** The reference's name of `include_types`. */
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  @TextList() exclude_visibilities?: string[];
  @BooleanLike() with_muted = false;
  /** The older switch: true lists moves beside the types that are named, false leaves them out unless they are named. */
  @BooleanLike() with_move?: boolean;

  choice(): NotificationChoice {
    return {
      types: this.include_types ?? this.types,
      excludedTypes: this.exclude_types ?? [],
      fromId: this.account_id,
      excludedVisibilities: (this.exclude_visibilities ?? []).filter(isVisibility),
      withMuted: this.with_muted,
      withMoves: this.with_move,
    };
  }
}

/** Query of the number of unread ones (reference). */
export class UnreadCountQuery {
  @TextList() types?: string[];
  @TextList() exclude_types?: string[];
  @OptionalId() account_id?: string;
  /** Where the count ends. */
  @PageNumber({ max: 1_000 }) limit = 100;

  choice(): UnreadChoice {
    return { types: this.types, excludedTypes: this.exclude_types ?? [], fromId: this.account_id };
  }
}

export class NotificationIdBody {
  @OptionalId() id?: string;
}

export class ReadNotificationsBody extends NotificationIdBody {
  /** All up to this one. */
  @OptionalId() max_id?: string;
}

export class NotificationIdsQuery {
  @IdList() ids?: string[];
}

/** What is left out stays as it is. */
export class NotificationSettingsBody {
  @BooleanLike() block_from_strangers?: boolean;
  @BooleanLike() hide_notification_contents?: boolean;
}

export class MarkersQuery {
  @TextList() timeline?: string[];

  /** Unknown names mean nothing. */
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
