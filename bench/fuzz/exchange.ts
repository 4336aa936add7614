import { connect } from 'node:net';
import type { Attack } from './requests.ts';

const PATIENCE_MS = 3_000;
/** The read limit: answers to hundreds of pipelined requests. */
const MAX_BYTES = 4_000_000;
const HEAD = /HTTP\/1\.1 (\d{3}) [^\r]*\r\n/g;

/** An answer, as far as it is judged. */
export interface Seen {
  readonly status: number;
  /** The beginning of the answer after its status line. */
  readonly text: string;
}

/** Performs the attack on its own connection; resolves with the answer at the end or after a long pause. */
export function exchange(port: number, { bytes, leaves }: Attack): Promise<Seen[]> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(bytes, () => leaves && socket.destroy());
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > MAX_BYTES || isWhole(chunks[0]!, received)) socket.destroy();
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answersIn(Buffer.concat(chunks).toString('latin1'))));
  });
}

/** Whether exactly one answer of known length has arrived: waiting is over then. */
function isWhole(first: Buffer, received: number): boolean {
  const end = first.indexOf('\r\n\r\n');
  const head = first.toString('latin1', 0, Math.max(end, 0));
  const length = /^HTTP\/1\.1 [23]04/.test(head) ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length !== undefined && received === end + 4 + Number(length);
}

function answersIn(text: string): Seen[] {
  return [...text.matchAll(HEAD)].map((head) => ({
    status: Number(head[1]),
    text: text.slice(head.index, head.index + 2_000),
  }));
}
