import { type Static, Type } from 'typebox';
import { DateTime, Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

/** The reading position in a timeline (spec §2.4, reference Marker). */
export const MarkerShape = Type.Object(
  {
    last_read_id: Described(Type.String({ minLength: 1 }), 'The id of the last entry that was read.'),
    version: Described(Type.Integer({ minimum: 1 }), 'The number of changes of the position.'),
    updated_at: Described(DateTime, 'When the position was saved.'),
    svc: Described(
      Type.Object({ unread_count: Described(Count, 'The number of unread notifications.') }, closed),
      "Fields of this service's own.",
    ),
  },
  { ...closed, title: 'Marker' },
);

/** Markers by timeline; timelines without a marker are absent. */
export const MarkersShape = Type.Object(
  {
    home: Described(Type.Optional(MarkerShape), 'The position on the home timeline.'),
    notifications: Described(Type.Optional(MarkerShape), 'The position in the notifications.'),
  },
  { ...closed, title: 'Markers' },
);

export type MarkerJson = Static<typeof MarkerShape>;
export type MarkersJson = Static<typeof MarkersShape>;
