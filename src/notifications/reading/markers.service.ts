import { Injectable } from '@nestjs/common';
import { Invalid } from '../../common/index.js';
import { isBigintId, UnitOfWork } from '../../platform/index.js';
import type { MarkedTimeline } from './marker.entity.js';
import { MarkerRepository, type MarkerRow } from './marker.repository.js';
import { NotificationRepository } from './notification.repository.js';

/**
 * Manages reading positions (reference Marker). Reading notifications moves their marker, and their marker reads all up
 * to it, since many apps do nothing else. Neither ever goes back.
 */
@Injectable()
export class MarkersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly markers: MarkerRepository,
    private readonly notifications: NotificationRepository,
  ) {}

  /** The account's markers for the given timelines. */
  async of(accountId: string, timelines: readonly MarkedTimeline[]): Promise<MarkerRow[]> {
    return timelines.length === 0 ? [] : this.markers.ofAccount(accountId, timelines);
  }

  /**
   * Saves positions, and reads the notifications up to theirs; returns the markers.
   * @throws Invalid when the position in the notifications is not an id
   */
  async save(accountId: string, positions: ReadonlyMap<MarkedTimeline, string>): Promise<MarkerRow[]> {
    const notificationId = positions.get('notifications');
    if (notificationId !== undefined && !isBigintId(notificationId)) {
      throw new Invalid('notifications.last_read_id must be the id of a notification');
    }
    if (positions.size === 0) return [];
    const { read, saved } = await this.uow.run(async () => ({
      read: notificationId === undefined ? [] : await this.notifications.readUpTo(accountId, notificationId),
      saved: await this.markers.save(accountId, positions),
    }));
    await this.notifications.readRest(accountId, read);
    return saved;
  }
}
