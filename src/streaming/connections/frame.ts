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

/** What a session writes: one frame or several that follow each other, in the form of each protocol. */
export interface FrameBytes {
  /** WebSocket messages with their headers. */
  readonly bytes: Buffer;
  /** The lines of server-sent events. */
  readonly lines: Buffer;
}

/** An event with the label of one stream. Its bytes are the same for all sessions. */
export class Frame implements FrameBytes {
  private framed: Buffer | undefined;

  constructor(
    private readonly event: StreamEvent,
    private readonly label: string,
  ) {}

  get bytes(): Buffer {
    this.framed ??= socketFrame(this.event.message(this.label));
    return this.framed;
  }

  get lines(): Buffer {
    return this.event.asLines();
  }
}

/** Frames that follow each other. They are joined on first use: one write of one buffer costs a session the least. */
export class FrameRun implements FrameBytes {
  private joinedBytes: Buffer | undefined;
  private joinedLines: Buffer | undefined;

  constructor(private readonly frames: readonly FrameBytes[]) {}

  get bytes(): Buffer {
    this.joinedBytes ??= joined(this.frames.map(({ bytes }) => bytes));
    return this.joinedBytes;
  }

  get lines(): Buffer {
    this.joinedLines ??= joined(this.frames.map(({ lines }) => lines));
    return this.joinedLines;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return first && parts.length === 1 ? first : Buffer.concat(parts);
}
