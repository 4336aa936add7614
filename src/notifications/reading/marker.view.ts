import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { Brand } from '../../platform/index.js';
import type { MarkerRow } from './marker.repository.js';
import type { MarkerJson } from './marker.shape.js';
import { NotificationRepository } from './notification.repository.js';

/** Renders markers by the name of their timeline (spec §2.4). */
@Injectable()
export class MarkerView {
  constructor(
    private readonly brand: Brand,
    private readonly notifications: NotificationRepository,
  ) {}

  /**
   * Renders the account's markers. Counts unread entries for notifications only, since the home timeline does not know.
   */
  async many(accountId: string, rows: readonly MarkerRow[]): Promise<Json> {
    const isCounted = ({ timeline }: MarkerRow) => timeline === 'notifications';
    const unread = rows.some(isCounted) ? await this.notifications.unread(accountId) : 0;
    return Json.of(
      Object.fromEntries(rows.map((row) => [row.timeline, this.marker(row, isCounted(row) ? unread : 0)])),
    );
  }

  private marker({ lastReadId, version, updatedAt }: MarkerRow, unread: number): object {
    const { svc, ...marker }: MarkerJson = {
      last_read_id: lastReadId,
      version,
      updated_at: updatedAt,
      svc: { unread_count: unread },
    };
    return { ...marker, [this.brand.word]: svc };
  }
}
