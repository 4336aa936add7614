import { socketFrame } from './socket-frame.js';

/** The label of events that belong to no stream: replies to a client's message. */
export const NO_STREAM = '[]';

/**
 * One event for all of its receivers. All frames are built here, so every frame names its stream (docs/adr/0021). The
 * bytes are rendered on first use, once for each label.
 */
export class StreamEvent {
  private readonly frames = new Map<string, Frame>();
  private members: string | undefined;
  private lines: Buffer | undefined;

  /** The payload, if any, is JSON or an id, so it has no line breaks. */
  constructor(
    readonly name: string,
    readonly payload?: string,
  ) {}

  /** The frame with a label: its `stream`, as JSON, in the words of the client. */
  frame(label: string): Frame {
    const frame = this.frames.get(label) ?? new Frame(this, label);
    this.frames.set(label, frame);
    return frame;
  }

  /** The text of a WebSocket message (spec §6.1). */
  message(label: string): Buffer {
    this.members ??= JSON.stringify({ event: this.name, payload: this.payload }).slice(1);
    return Buffer.from(`{"stream":${label},${this.members}`);
  }

  /** The lines for an event stream, whose address names the stream. Browsers drop events without data. */
  asLines(): Buffer {
    this.lines ??= Buffer.from(`event: ${this.name}\ndata: ${this.payload ?? '{}'}\n\n`);
    return this.lines;
  }
}

/** An event with the label of one stream. Its bytes are the same for all sessions. */
export class Frame {
  private framed: Buffer | undefined;

  constructor(
    private readonly event: StreamEvent,
    private readonly label: string,
  ) {}

  /** The WebSocket message with its header. */
  get bytes(): Buffer {
    this.framed ??= socketFrame(this.event.message(this.label));
    return this.framed;
  }

  /** The lines of a server-sent event. */
  get lines(): Buffer {
    return this.event.asLines();
  }
}
