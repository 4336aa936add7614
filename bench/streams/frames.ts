/** Protocols of live streams. */
export type Protocol = 'websocket' | 'event_stream';

/** What a reader of frames is told. */
export interface FrameEvents {
  /** A frame of a new post; `id` is that of the post where ids are wanted. */
  update(id: string): void;
  /** The closing frame came, with its code. */
  closed(code: number): void;
}

/** Finds the frames of new posts in the bytes of a live stream. Jumps from frame to frame and looks at their begin only. */
export interface FrameReader {
  read(chunk: Buffer): void;
}

const ID = /"id\\?":\\?"(\w+)/;
/** The mark and the id of a post stand within so many bytes. */
const BEGIN = 128;
const NONE = Buffer.alloc(0);
const NEWLINE = 0x0a;

/** A reader of a connection's bytes. Without `ids` frames are only counted, which costs less. */
export function frameReader(protocol: Protocol, ids: boolean, events: FrameEvents): FrameReader {
  return protocol === 'websocket' ? new SocketFrames(ids, events) : new EventLines(ids, events);
}

/** Messages of a server: unmasked and never in fragments (RFC 6455 §5.2). */
class SocketFrames implements FrameReader {
  private readonly ids: boolean;
  private readonly events: FrameEvents;
  /** The begin of a frame whose other bytes have not come. */
  private rest = NONE;
  /** Bytes of the last frame that have not come and do not matter. */
  private skipped = 0;

  constructor(ids: boolean, events: FrameEvents) {
    this.ids = ids;
    this.events = events;
  }

  read(chunk: Buffer): void {
    const bytes = joined(this.rest, chunk);
    let at = this.skipped;
    while (at < bytes.length) {
      const end = this.readFrame(bytes, at);
      if (end === undefined) break;
      at = end;
    }
    this.skipped = Math.max(0, at - bytes.length);
    this.rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : NONE;
  }

  /** Returns where the next frame begins; undefined when too little of this one has come. */
  private readFrame(bytes: Buffer, at: number): number | undefined {
    if (bytes.length < at + 2) return undefined;
    const short = bytes[at + 1]!;
    const begin = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
    if (bytes.length < begin) return undefined;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUIntBE(at + 4, 6);
    if (bytes.length < begin + Math.min(length, BEGIN)) return undefined;
    this.note(bytes, at, begin);
    return begin + length;
  }

  private note(bytes: Buffer, at: number, begin: number): void {
    const opcode = bytes[at]! & 0x0f;
    if (opcode === 8) this.events.closed(bytes.readUInt16BE(begin));
    if (opcode !== 1) return;
    const text = bytes.toString('latin1', begin, Math.min(begin + BEGIN, bytes.length));
    if (text.includes('"event":"update"')) this.events.update(this.ids ? idIn(text) : '');
  }
}

/** The lines of server-sent events. */
class EventLines implements FrameReader {
  private readonly ids: boolean;
  private readonly events: FrameEvents;
  private rest = NONE;
  /** The bytes belong to a line whose begin was read. */
  private isInLine = false;
  private isUpdate = false;

  constructor(ids: boolean, events: FrameEvents) {
    this.ids = ids;
    this.events = events;
  }

  read(chunk: Buffer): void {
    const bytes = joined(this.rest, chunk);
    this.rest = NONE;
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, at);
      if (!this.isInLine) {
        if (end < 0 && bytes.length < at + BEGIN) {
          this.rest = Buffer.from(bytes.subarray(at));
          return;
        }
        this.note(bytes, at, end < 0 ? bytes.length : end);
      }
      this.isInLine = end < 0;
      at = end < 0 ? bytes.length : end + 1;
    }
  }

  /** An event is counted with its data. */
  private note(bytes: Buffer, at: number, end: number): void {
    const isData = this.isUpdate && end - at > 'data: '.length;
    if (isData) this.events.update(this.ids ? idIn(bytes.toString('latin1', at, Math.min(end, at + BEGIN))) : '');
    this.isUpdate = end - at === 'event: update'.length && bytes.toString('latin1', at, end) === 'event: update';
  }
}

function idIn(text: string): string {
  return ID.exec(text)?.[1] ?? '';
}

function joined(rest: Buffer, chunk: Buffer): Buffer {
  return rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
}
