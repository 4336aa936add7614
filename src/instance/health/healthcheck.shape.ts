import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** The jobs of one queue: due now, for later or being done, and set aside after too many tries. */
const QueueShape = Type.Object({ due: Count, scheduled: Count, parked: Count }, { additionalProperties: false });

/** `GET /api/v1/svc/healthcheck` (spec §2.6). */
export const HealthcheckShape = Type.Object(
  {
    pool_size: Count,
    active: Count,
    idle: Count,
    /** Of this process, in MB. */
    memory_used: Type.Number({ minimum: 0 }),
    job_queue_stats: Type.Record(Type.String(), QueueShape),
    healthy: Type.Boolean(),
  },
  { additionalProperties: false, title: 'Healthcheck' },
);

/** `GET /api/v1/svc/federation_status`: since when servers cannot be reached, by domain. */
export const FederationStatusShape = Type.Object(
  { unreachable: Type.Record(Type.String(), Type.String()) },
  { additionalProperties: false, title: 'FederationStatus' },
);

export type Healthcheck = Static<typeof HealthcheckShape>;
export type FederationStatus = Static<typeof FederationStatusShape>;
