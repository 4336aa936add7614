/** Something that happened, for all who hear of it: bytes are made when somebody wants them, once for each form. */
export class StreamEvent {
  private readonly frames = new Map<string | undefined, Frame>();
  private members: string | undefined;
  private lines: Buffer | undefined;

  /** The payload, where there is one, has no line breaks: it is JSON, or an id. */
  constructor(
    readonly name: string,
    readonly payload?: string,
  ) {}

  /** What those get to whom the stream is known by a label, as JSON; without one the frame names no stream. */
  frame(label?: string): Frame {
    const frame = this.frames.get(label) ?? new Frame(this, label);
    this.frames.set(label, frame);
    return frame;
  }

  /** For a WebSocket (spec §6.1). */
  message(label: string | undefined): Buffer {
    this.members ??= JSON.stringify({ event: this.name, payload: this.payload }).slice(1);
    return Buffer.from(`{${label === undefined ? '' : `"stream":${label},`}${this.members}`);
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
    private readonly label: string | undefined,
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
