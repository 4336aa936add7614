import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const Count = Type.Integer({ minimum: 0 });

/** The jobs of one queue. */
const QueueShape = Type.Object(
  {
    due: Described(Count, 'The number of jobs that are due.'),
    scheduled: Described(Count, 'The number of jobs that run or are due later.'),
    parked: Described(Count, 'The number of jobs that failed after too many tries.'),
  },
  { additionalProperties: false },
);

/** `GET /health/live`. */
export const LivenessShape = Type.Object(
  { status: Described(Type.Literal('ok'), 'Always `ok`.') },
  { additionalProperties: false },
);

/** `GET /health/ready`. */
export const ReadinessShape = Type.Object(
  {
    status: Described(Type.Literal('ok'), 'Always `ok`.'),
    storage: Type.Optional(
      Described(
        Type.Enum(['ok', 'unavailable']),
        'Whether the bucket of `STORAGE_URL` responds; only where there is one.',
      ),
    ),
    replicas: Type.Optional(
      Described(
        Type.Array(Type.Enum(['ok', 'behind', 'unavailable'])),
        'Whether each replica of `DATABASE_REPLICA_URL` answers reads; only where there are some.',
      ),
    ),
  },
  { additionalProperties: false, title: 'Readiness' },
);

/** `GET /api/v1/svc/healthcheck` (spec §2.6). */
export const HealthcheckShape = Type.Object(
  {
    pool_size: Described(Count, 'The most connections of this process to the database.'),
    active: Described(Count, 'The number of connections that are in use.'),
    idle: Described(Count, 'The number of open connections that are not in use.'),
    memory_used: Described(Type.Number({ minimum: 0 }), 'The memory of this process in megabytes.'),
    job_queue_stats: Described(
      Type.Record(Type.String(), QueueShape),
      'The jobs by the name of their queue, counted at most 5 seconds ago; empty without a database.',
    ),
    healthy: Described(Type.Boolean(), 'Whether the database responds and the process is not shutting down.'),
  },
  { additionalProperties: false, title: 'Healthcheck' },
);

/** `GET /api/v1/svc/federation_status`: the begin of each server's outage, by domain. */
export const FederationStatusShape = Type.Object(
  {
    unreachable: Described(
      Type.Record(Type.String(), Type.String()),
      'When each server was first not reached, by its host; at most 1,000 servers.',
    ),
  },
  { additionalProperties: false, title: 'FederationStatus' },
);

export type Healthcheck = Static<typeof HealthcheckShape>;
export type Readiness = Static<typeof ReadinessShape>;
export type FederationStatus = Static<typeof FederationStatusShape>;
