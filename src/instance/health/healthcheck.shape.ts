import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });

/** The jobs of one queue: due now, scheduled or running, and failed after too many tries. */
const QueueShape = Type.Object({ due: Count, scheduled: Count, parked: Count }, { additionalProperties: false });

/** `GET /health/live`. */
export const LivenessShape = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

/** `GET /health/ready`. */
export const ReadinessShape = Type.Object(
  {
    status: Type.Literal('ok'),
    /** Whether the bucket of `STORAGE_URL` responds; only where there is one. */
    storage: Type.Optional(Type.Enum(['ok', 'unavailable'])),
  },
  { additionalProperties: false, title: 'Readiness' },
);

/** `GET /api/v1/svc/healthcheck` (spec §2.6). */
export const HealthcheckShape = Type.Object(
  {
    pool_size: Count,
    active: Count,
    idle: Count,
    /** The memory of this process in MB. */
    memory_used: Type.Number({ minimum: 0 }),
    job_queue_stats: Type.Record(Type.String(), QueueShape),
    healthy: Type.Boolean(),
  },
  { additionalProperties: false, title: 'Healthcheck' },
);

/** `GET /api/v1/svc/federation_status`: the begin of each server's outage, by domain. */
export const FederationStatusShape = Type.Object(
  { unreachable: Type.Record(Type.String(), Type.String()) },
  { additionalProperties: false, title: 'FederationStatus' },
);

export type Healthcheck = Static<typeof HealthcheckShape>;
export type Readiness = Static<typeof ReadinessShape>;
export type FederationStatus = Static<typeof FederationStatusShape>;
