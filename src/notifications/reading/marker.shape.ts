import { type Static, Type } from 'typebox';
import { DateTime } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** The reading position in a timeline (spec §2.4, reference Marker). */
export const MarkerShape = Type.Object(
  {
    last_read_id: Type.String({ minLength: 1 }),
    version: Type.Integer({ minimum: 1 }),
    updated_at: DateTime,
    svc: Type.Object({ unread_count: Count }, closed),
  },
  { ...closed, title: 'Marker' },
);

/** Markers by timeline; timelines without a marker are absent. */
export const MarkersShape = Type.Object(
  { home: Type.Optional(MarkerShape), notifications: Type.Optional(MarkerShape) },
  { ...closed, title: 'Markers' },
);

export type MarkerJson = Static<typeof MarkerShape>;
export type MarkersJson = Static<typeof MarkersShape>;
