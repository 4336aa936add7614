import type { OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../env/env.js';
import type { Recorder, Span, SpanStart } from './span.js';
import { currentWork } from './work.js';

/**
 * Where spans begin. Without `OTEL_EXPORTER_OTLP_ENDPOINT` there are none, and nothing of the SDK is loaded
 * (docs/adr/0033).
 */
export class Tracing implements OnApplicationShutdown {
  constructor(private readonly recorder?: Recorder) {}

  /** Whether traces are made. Fixed for the life of the process. */
  get isOn(): boolean {
    return this.recorder !== undefined;
  }

  /** Begins a span; the caller ends it. Undefined while there are no traces. */
  begin(span: SpanStart): Span | undefined {
    return this.recorder?.start(span);
  }

  /** Begins a span within the work that runs; undefined where that has none, or one that is not exported. */
  beginWithin(span: Omit<SpanStart, 'parent'>): Span | undefined {
    if (!this.recorder) return undefined;
    const parent = currentWork()?.span;
    return parent?.isRecorded ? this.recorder.start({ ...span, parent }) : undefined;
  }

  /** Exports what is left: after the requests and jobs of this process have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.recorder?.stop();
  }
}

/** Begins to make traces, if the environment says where to. The SDK is loaded only then (docs/adr/0018). */
export async function startTracing({ traces, version }: Pick<Env, 'traces' | 'version'>): Promise<Tracing> {
  if (!traces) return new Tracing();
  const { OtlpRecorder } = await import('./otlp-recorder.js');
  return new Tracing(new OtlpRecorder(traces, version));
}

/** A short name of an error's kind for a span: its code, such as `23505` or `ECONNREFUSED`, or else its class. */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'error';
  const { code, kind } = error as { readonly code?: unknown; readonly kind?: unknown };
  const known = [code, kind].find((value) => typeof value === 'string');
  return known ?? (error instanceof Error ? error.name : 'error');
}
