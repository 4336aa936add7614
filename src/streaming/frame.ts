/** The label of events that belong to no stream: replies to what a client sent. */
export const NO_STREAM = '[]';

/**
 * An event for all of its receivers. Every frame is built here, so every frame names its stream (docs/adr/0021); its bytes are
 * rendered on first use, once for each label.
 */
export class StreamEvent {
  private readonly frames = new Map<string, Frame>();
  private members: string | undefined;
  private lines: Buffer | undefined;

  /** The payload, where there is one, has no line breaks: it is JSON, or an id. */
  constructor(
    readonly name: string,
    readonly payload?: string,
  ) {}

  /** The frame for clients that know the stream by a label: the `stream` of the frame, as JSON. */
  frame(label: string): Frame {
    const frame = this.frames.get(label) ?? new Frame(this, label);
    this.frames.set(label, frame);
    return frame;
  }

  /** For a WebSocket (spec §6.1). */
  message(label: string): Buffer {
    this.members ??= JSON.stringify({ event: this.name, payload: this.payload }).slice(1);
    return Buffer.from(`{"stream":${label},${this.members}`);
  }

  /** For an event stream, whose address says which stream it is. Browsers drop events without data. */
  asLines(): Buffer {
    this.lines ??= Buffer.from(`event: ${this.name}\ndata: ${this.payload ?? '{}'}\n\n`);
    return this.lines;
  }
}

/** An event as one stream brings it. */
export class Frame {
  private made: Buffer | undefined;

  constructor(
    private readonly event: StreamEvent,
    private readonly label: string,
  ) {}

  /** The text of a WebSocket's message. */
  get message(): Buffer {
    this.made ??= this.event.message(this.label);
    return this.made;
  }

  /** The lines of an event stream. */
  get lines(): Buffer {
    return this.event.asLines();
  }
}
