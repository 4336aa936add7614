import { Injectable } from '@nestjs/common';
import { Invalid } from '../../common/index.js';
import { isBigintId } from '../../platform/index.js';
import type { MarkedTimeline } from './marker.entity.js';
import { MarkerRepository, type MarkerRow } from './marker.repository.js';

/**
 * Manages reading positions (reference Marker). Reading notifications moves their marker, but saving the marker does
 * not mark notifications as read.
 */
@Injectable()
export class MarkersService {
  constructor(private readonly markers: MarkerRepository) {}

  /** The account's markers for the given timelines. */
  async of(accountId: string, timelines: readonly MarkedTimeline[]): Promise<MarkerRow[]> {
    return timelines.length === 0 ? [] : this.markers.ofAccount(accountId, timelines);
  }

  /**
   * Saves positions; returns their markers.
   * @throws Invalid when the position in the notifications is not an id
   */
  async save(accountId: string, positions: ReadonlyMap<MarkedTimeline, string>): Promise<MarkerRow[]> {
    const notificationId = positions.get('notifications');
    if (notificationId !== undefined && !isBigintId(notificationId)) {
      throw new Invalid('notifications.last_read_id must be the id of a notification');
    }
    return positions.size === 0 ? [] : this.markers.save(accountId, positions);
  }
}
