import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import {
  type Link,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../env/env.js';
import type { Attributes, Recorder, Span, SpanKind as Kind, SpanStart } from './span.js';

/** How long a stop waits for the collector. */
const FLUSH_MS = 2_000;
/** How long a collector may take for one export. */
const EXPORT_MS = 5_000;

const KINDS: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** The form of W3C Trace Context, version 00. */
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/**
 * Exports spans over OTLP by the official SDK. The only file that knows it; it stays out of the SDK's globals, so that
 * libraries do not begin to make spans too. A collector that is away costs nothing but spans: those that wait are bounded.
 */
export class OtlpRecorder implements Recorder {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(settings: TraceSettings, version: string) {
    const exporter = new WatchedExporter(
      new OTLPTraceExporter({
        url: `${settings.endpoint}/v1/traces`,
        headers: settings.headers,
        timeoutMillis: EXPORT_MS,
      }),
    );
    const { serviceName } = settings;
    const given = { 'service.version': version, 'service.name': 'svc', ...settings.resource };
    this.provider = new TracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ ...given, ...(serviceName !== undefined && { 'service.name': serviceName }) }),
      ),
      sampler: samplerOf(settings),
      spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
    });
    this.tracer = this.provider.getTracer('svc', version);
  }

  start({ name, kind, attributes = {}, parent, link }: SpanStart): Span {
    const within = contextOf(parent);
    const linked = contextOf(link);
    const links: Link[] = linked ? [{ context: linked }] : [];
    const context = within ? trace.setSpanContext(ROOT_CONTEXT, within) : ROOT_CONTEXT;
    return new OtlpSpan(this.tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, context));
  }

  async stop(): Promise<void> {
    const stopped = this.provider.shutdown().catch(() => undefined); // the exporter has told of the failure
    await Promise.race([stopped, delay(FLUSH_MS, undefined, { ref: false })]);
  }
}

class OtlpSpan implements Span {
  readonly context: SpanContext;
  readonly isRecorded: boolean;

  constructor(private readonly span: SdkSpan) {
    this.context = span.spanContext();
    this.isRecorded = span.isRecording();
  }

  get traceId(): string {
    return this.context.traceId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.context;
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    this.span.setAttribute('error.type', errorType);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** Tells the operator once when the collector takes no spans, and once when it takes them again. */
class WatchedExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private isFailing = false;

  constructor(private readonly exporter: SpanExporter) {}

  export(...[spans, done]: Parameters<SpanExporter['export']>): void {
    this.exporter.export(spans, (result) => {
      const isFailing = result.error !== undefined;
      if (isFailing && !this.isFailing)
        this.logger.warn({ err: result.error }, 'The collector does not take traces: they are lost until it does');
      if (!isFailing && this.isFailing) this.logger.log('The collector takes traces again');
      this.isFailing = isFailing;
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function contextOf(span: Span | string | null | undefined): SpanContext | undefined {
  if (span instanceof OtlpSpan) return span.context;
  if (typeof span !== 'string') return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(span) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** The samplers of the specification: the SDK reads their variables only in its package for everything. */
function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const rooted = sampler.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio';
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[rooted]();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
