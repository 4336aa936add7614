import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { measureProcess } from './process-metrics.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const NANOSECONDS_PER_SECOND = 1e9;
const NO_ROUTE = '(none)';
/** A value that takes longer to read is left out: the other metrics matter most when the database hangs. */
const READ_MS = 3_000;

/** Values by the value of one label. */
export type LabelledValues = Readonly<Record<string, number>>;
type Read<T> = () => T | Promise<T>;

/** A cache as the metrics show it. */
export interface WatchedCache {
  readonly entries?: number;
  readonly bytes?: number;
  /** Look-ups that found an entry, and those that found none. */
  readonly hits?: number;
  readonly misses?: number;
}

/** The metrics of one server, in Prometheus' text format. Names and labels never contain input. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly loopDelay = monitorEventLoopDelay({ resolution: 20 });
  private readonly caches = new Map<string, WatchedCache>();
  private readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests that were answered or given up',
    labelNames: ['method', 'route', 'status'],
    registers: this.registers,
  });
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer; event streams are left out',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: this.registers,
  });

  constructor() {
    this.loopDelay.enable();
    this.measureLoopDelay();
    measureProcess(this);
    this.measureCaches();
  }

  /** Express middleware: counts and times each request under the template of its route, such as `/api/v1/statuses/:id`. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.on('close', () => {
      const { method } = request;
      const route = routeOf(request) ?? NO_ROUTE;
      this.requests.inc({ method, route, status: statusOf(response) });
      if (!isEventStream(response)) this.durations.observe({ method, route }, (performance.now() - start) / 1_000);
    });
    next();
  };

  /** A new counter; a name can be taken once. */
  counter<Label extends string>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: this.registers });
  }

  /** A value that is read whenever the metrics are: the size of a pool. It is left out when it cannot be read. */
  gauge(name: string, help: string, read: Read<number>): void {
    const collect = collector(undefined, async () => ({ '': await read() }));
    new Gauge({ name, help, registers: this.registers, collect });
  }

  /** Values of one label that are read whenever the metrics are: the length of each queue. */
  gauges(name: string, help: string, label: string, read: Read<LabelledValues>): void {
    new Gauge({ name, help, labelNames: [label], registers: this.registers, collect: collector(label, read) });
  }

  /** Like {@link gauge}, for a total that is counted elsewhere. */
  total(name: string, help: string, read: Read<number>): void {
    const collect = collector(undefined, async () => ({ '': await read() }));
    new Counter({ name, help, registers: this.registers, collect });
  }

  /** Like {@link gauges}, for totals that are counted elsewhere. */
  totals(name: string, help: string, label: string, read: Read<LabelledValues>): void {
    new Counter({ name, help, labelNames: [label], registers: this.registers, collect: collector(label, read) });
  }

  /** Shows how full a cache is, and how often it was of use where that is counted. */
  watchCache(name: string, cache: WatchedCache): void {
    this.caches.set(name, cache);
  }

  /** All metrics, and the Content-Type to send them with. */
  async render(): Promise<{ contentType: string; text: string }> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  onApplicationShutdown(): void {
    this.loopDelay.disable();
  }

  /** How late the event loop came to its timers since the metrics were last read. */
  private measureLoopDelay(): void {
    const delay = this.loopDelay;
    new Gauge({
      name: 'nodejs_eventloop_delay_seconds',
      help: 'Delay of the event loop since the last reading',
      labelNames: ['quantile'],
      registers: this.registers,
      collect() {
        for (const quantile of [0.5, 0.99, 1]) {
          this.set({ quantile }, delay.percentile(100 * quantile) / NANOSECONDS_PER_SECOND);
        }
        delay.reset();
      },
    });
  }

  private measureCaches(): void {
    const read = (figure: keyof WatchedCache) => () => {
      const values = [...this.caches].map(([name, cache]) => [name, cache[figure]] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as LabelledValues;
    };
    const [labelNames, registers] = [['cache'], this.registers];
    const metric = (name: string, help: string, figure: keyof WatchedCache) => {
      return { name, help, labelNames, registers, collect: collector('cache', read(figure)) };
    };
    new Gauge(metric('svc_cache_entries', 'Entries of a cache', 'entries'));
    new Gauge(metric('svc_cache_bytes', 'Size of a cache', 'bytes'));
    new Counter(metric('svc_cache_hits_total', 'Look-ups that found an entry', 'hits'));
    new Counter(metric('svc_cache_misses_total', 'Look-ups that found none', 'misses'));
  }
}

/** Sets a metric to what is read just now. */
function collector(label: string | undefined, read: Read<LabelledValues>) {
  return async function collect(this: Gauge | Counter): Promise<void> {
    const values = await Promise.race([readSafely(read), delay(READ_MS, undefined, { ref: false })]);
    this.reset();
    if (values === undefined && label === undefined) this.remove(); // a reset one would be 0
    for (const [key, value] of Object.entries(values ?? {}))
      this.inc(label === undefined ? {} : { [label]: key }, value);
  };
}

async function readSafely(read: Read<LabelledValues>): Promise<LabelledValues | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
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

function statusOf(response: Response): string {
  const isComplete = response.writableFinished || (response.headersSent && isEventStream(response));
  return isComplete ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
}
