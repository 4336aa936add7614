import { Sender } from 'ws';

declare module 'ws' {
  /** Public in the library's sources, and missing in its types. */
  const Sender: {
    frame(
      data: Buffer,
      options: { fin: boolean; opcode: number; mask: boolean; readOnly: boolean; rsv1: boolean },
    ): Buffer[];
  };
}

/** A whole text message that is neither masked nor compressed (RFC 6455 §5.2): what a server sends. */
const TEXT = { fin: true, opcode: 1, mask: false, readOnly: true, rsv1: false } as const;

/**
 * The bytes of a text as a WebSocket message, header and payload in one piece. They can be written to any number of
 * sockets, which costs less than `ws.send` for each of them.
 */
export function socketFrame(text: Buffer): Buffer {
  return Buffer.concat(Sender.frame(text, TEXT));
}
