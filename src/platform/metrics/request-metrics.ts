import type { NextFunction, Request, Response } from 'express';
import { Counter, type Metric, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** The last is of all that took longer. */
const BUCKETS = [...SECONDS, Infinity];
const NO_ROUTE = '(none)';
const DURATIONS = 'http_request_duration_seconds';

/** The answers of one method and route. */
interface Answers {
  readonly method: string;
  readonly route: string;
  /** Their number by the class of the status; those that were given up are 0. */
  readonly byStatus: Map<number, number>;
  /** Their number by the first of {@link BUCKETS} that they fit in. */
  readonly byDuration: number[];
  timed: number;
  seconds: number;
}

/**
 * Counts and times requests. It adds to plain numbers and makes metrics of them when these are read: prom-client looks up
 * and checks all labels each time.
 */
export class RequestMetrics {
  private readonly answers = new Map<string, Map<string, Answers>>();

  constructor(registry: Registry) {
    const addAll = (counter: Counter) => this.addTo(counter);
    new Counter({
      name: 'http_requests_total',
      help: 'Requests that were answered or given up',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
      collect() {
        addAll(this);
      },
    });
    const durations = {
      name: DURATIONS,
      help: 'Time from the first byte of a request to the end of its answer; event streams are left out',
      type: 'histogram',
      get: () => Promise.resolve({ ...durations, values: this.durations() }),
    };
    registry.registerMetric(durations as unknown as Metric);
  }

  /** Express middleware: counts and times each request under the template of its route, such as `/api/v1/statuses/:id`. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.on('close', () => this.count(request, response, performance.now() - start));
    next();
  };

  private count(request: Request, response: Response, ms: number): void {
    const isStream = isEventStream(response);
    const answers = this.answersOf(request.method, routeOf(request) ?? NO_ROUTE);
    const isComplete = response.writableFinished || (response.headersSent && isStream);
    const status = isComplete ? Math.floor(response.statusCode / 100) : 0;
    answers.byStatus.set(status, (answers.byStatus.get(status) ?? 0) + 1);
    if (isStream) return;
    const seconds = ms / 1_000;
    const bound = BUCKETS.findIndex((most) => seconds <= most);
    answers.byDuration[bound] = (answers.byDuration[bound] ?? 0) + 1;
    answers.timed += 1;
    answers.seconds += seconds;
  }

  private answersOf(method: string, route: string): Answers {
    let ofMethod = this.answers.get(method);
    if (!ofMethod) this.answers.set(method, (ofMethod = new Map<string, Answers>()));
    let answers = ofMethod.get(route);
    if (!answers) {
      answers = { method, route, byStatus: new Map(), byDuration: BUCKETS.map(() => 0), timed: 0, seconds: 0 };
      ofMethod.set(route, answers);
    }
    return answers;
  }

  private get all(): Answers[] {
    return [...this.answers.values()].flatMap((ofMethod) => [...ofMethod.values()]);
  }

  private addTo(counter: Counter): void {
    counter.reset();
    for (const { method, route, byStatus } of this.all)
      for (const [status, count] of byStatus)
        counter.inc({ method, route, status: status === 0 ? 'aborted' : `${status}xx` }, count);
  }

  /** The samples of a histogram: each bucket holds those of the smaller ones, too. */
  private durations(): { metricName: string; labels: object; value: number }[] {
    return this.all.filter(({ timed }) => timed > 0).flatMap((answers) => samplesOf(answers));
  }
}

function samplesOf({ method, route, byDuration, timed, seconds }: Answers) {
  const labels = { method, route };
  let upTo = 0;
  const buckets = BUCKETS.map((most, bound) => {
    upTo += byDuration[bound] ?? 0;
    const le = most === Infinity ? '+Inf' : most;
    return { metricName: `${DURATIONS}_bucket`, labels: { le, ...labels }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${DURATIONS}_sum`, labels, value: seconds },
    { metricName: `${DURATIONS}_count`, labels, value: timed },
  ];
}

/** The template of the route of a request, such as `/api/v1/statuses/:id`; known when it has been handled. */
export function routeOf(request: Request): string | undefined {
  const route: unknown = request.route;
  const path = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' && path.startsWith('/') ? path : undefined; // patterns of middleware begin otherwise
}

/** A stream lasts as long as its client likes, and usually ends with the client. */
function isEventStream(response: Response): boolean {
  return String(response.getHeader('Content-Type')).startsWith('text/event-stream');
}
