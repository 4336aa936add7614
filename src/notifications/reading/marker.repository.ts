import { Injectable } from '@nestjs/common';
import { columns, Database, type RowOf, sql } from '../../platform/index.js';
import { type MarkedTimeline, Marker } from './marker.entity.js';

const SHOWN = ['timeline', 'lastReadId', 'version', 'updatedAt'] as const;

/** A marker. Each save raises its version. */
export type MarkerRow = RowOf<Marker, (typeof SHOWN)[number]>;

const ofAccount = sql<MarkerRow>(
  'markers.of_account',
  `select ${columns(Marker, 'm', SHOWN)} from markers m where account_id = $1 and timeline = any($2::text[])`,
);

// Ordered by name, so that two apps that save both markers cannot deadlock. That of the notifications never moves back.
const save = sql<MarkerRow>(
  'markers.save',
  `insert into markers as m (account_id, timeline, last_read_id)
   select $1, timeline, id from unnest($2::text[], $3::text[]) as new(timeline, id) order by timeline
   on conflict (account_id, timeline)
     do update set version = m.version + 1, updated_at = now(), last_read_id = case m.timeline
       when 'notifications' then greatest(m.last_read_id::bigint, excluded.last_read_id::bigint)::text
       else excluded.last_read_id end
   returning ${columns(Marker, 'm', SHOWN)}`,
);

// Moves the marker to the newest notification up to an id. Never moves it back, for example after reading out of order.
const advance = sql(
  'markers.advance',
  `insert into markers as m (account_id, timeline, last_read_id)
   select $1, 'notifications', max(id)::text from notifications where receiver_id = $1 and id <= $2 having max(id) is not null
   on conflict (account_id, timeline)
     do update set last_read_id = excluded.last_read_id, version = m.version + 1, updated_at = now()
     where m.last_read_id::bigint < excluded.last_read_id::bigint`,
);

/** All SQL on `markers`. */
@Injectable()
export class MarkerRepository {
  constructor(private readonly db: Database) {}

  /** Leaves out timelines without a marker. */
  ofAccount(accountId: string, timelines: readonly MarkedTimeline[]): Promise<MarkerRow[]> {
    return this.db.rows(ofAccount, [accountId, timelines]);
  }

  /** Saves positions and returns their markers. */
  save(accountId: string, positions: ReadonlyMap<MarkedTimeline, string>): Promise<MarkerRow[]> {
    return this.db.rows(save, [accountId, [...positions.keys()], [...positions.values()]]);
  }

  /** Moves the marker of the notifications forward to the newest notification up to an id. */
  async advance(accountId: string, id: string): Promise<void> {
    await this.db.run(advance, [accountId, id]);
  }
}
