import { Type } from 'typebox';
import { ReblogShape, PlainStatusShape } from '../../statuses/index.js';
import { MergedAccountShape } from '../users/admin-user.shape.js';

const closed = { additionalProperties: false } as const;
const account = MergedAccountShape;

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
  { total: Type.Integer({ minimum: 0 }), activities: Type.Array(AdminStatusShape) },
  { ...closed, title: 'ServerStatuses' },
);
