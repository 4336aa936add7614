import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const NANOSECONDS_PER_SECOND = 1e9;

/** What one server counts about itself, in Prometheus' text format. Names and labels never hold what people typed. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly loopDelay = monitorEventLoopDelay({ resolution: 20 });
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: this.registers,
  });

  constructor() {
    this.loopDelay.enable();
    this.measureLoopDelay();
  }

  /** Express middleware: times each request under the template of its route, such as `/api/v1/statuses/:id`. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const stop = this.requests.startTimer();
    response.once('close', () => {
      stop({ method: request.method, route: routeOf(request), status: statusOf(response) });
    });
    next();
  };

  /** A new counter; a name can be taken once. */
  counter<Label extends string>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: this.registers });
  }

  /** A value that is read whenever the metrics are: the size of a pool, the length of a queue. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: this.registers,
      async collect() {
        this.set(await read());
      },
    });
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
}

function routeOf(request: Request): string {
  const route: unknown = request.route;
  const path = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : '(none)';
}

function statusOf(response: Response): string {
  return response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
}
