/** The values of a span; names follow the semantic conventions of OpenTelemetry where there is one. */
export type Attributes = Readonly<Record<string, string | number>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** What a span is, as far as it is known at its start. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** The span that it is part of: one of this process, or the `traceparent` of any; without one it begins a trace. */
  readonly parent?: Span | string | null | undefined;
  /** A span of another trace that it has to do with. */
  readonly link?: Span | string | null | undefined;
}

/** A piece of work in a trace, from its start to its end. It holds no data of people. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span as W3C Trace Context writes it. */
  readonly traceparent: string;
  /** Whether it is exported; otherwise nothing that is part of it is, either. */
  readonly isRecorded: boolean;
  /** Replaces the name by one that is known only now. */
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks it as failed, by the type of the error, never by its message, which may quote data. */
  fail(errorType: string): void;
  end(): void;
}

/** Makes spans and exports them. */
export interface Recorder {
  start(span: SpanStart): Span;
  /** Exports what is left, and stops; takes at most two seconds. */
  stop(): Promise<void>;
}
