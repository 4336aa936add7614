import { Type } from 'typebox';
import { Described } from '../../common/index.js';
import { ReblogShape, PlainStatusShape } from '../../statuses/index.js';
import { MergedAccountShape } from '../users/admin-user.shape.js';

const closed = { additionalProperties: false } as const;
const account = Described(MergedAccountShape, 'The author, or the account that reblogged.');

/** A status with all that administrators see of its author. */
export const AdminStatusShape = Type.Union(
  [
    Type.Object({ ...PlainStatusShape.properties, account }, closed),
    Type.Object({ ...ReblogShape.properties, account }, closed),
  ],
  { title: 'AdminStatus' },
);

/** The statuses of a server (spec §4.1.1). */
export const ServerStatusesShape = Type.Object(
  {
    total: Described(Type.Integer({ minimum: 0 }), 'The total number.'),
    activities: Described(Type.Array(AdminStatusShape), 'The posts and reblogs of the page.'),
  },
  { ...closed, title: 'ServerStatuses' },
);
