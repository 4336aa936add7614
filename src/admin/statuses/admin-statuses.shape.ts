import { Type } from 'typebox';
import { StatusShape } from '../../statuses/index.js';

/** The statuses of a server (spec §4.1.1). */
export const ServerStatusesShape = Type.Object(
  { total: Type.Integer({ minimum: 0 }), activities: Type.Array(StatusShape) },
  { additionalProperties: false, title: 'ServerStatuses' },
);
