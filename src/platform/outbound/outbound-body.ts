import { MIMEType, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { hasCode } from '../env/errors.js';
import { OutboundError } from './outbound-error.js';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** The supported content codings (RFC 9110 §8.4.1); each counts its output and stops at the limit. */
const DECODERS = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', promisify(inflate)],
]);

/** For the Accept-Encoding header. */
export const ACCEPTED_CODINGS = 'gzip, br, deflate';

/**
 * Reads a whole body and decodes it. Neither the received nor the decoded bytes may exceed `maxBytes`: OutboundError
 * `too-large`.
 */
export async function readBody(body: AsyncIterable<Buffer>, coding: string, maxBytes: number): Promise<Buffer> {
  const received = await readBounded(body, maxBytes);
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity' || received.length === 0) return received;
  const decode = DECODERS.get(name);
  if (!decode) throw new OutboundError('network', 'The answer has an unknown content coding');
  try {
    return await decode(received, { maxOutputLength: maxBytes });
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) throw tooLarge(maxBytes);
    throw new OutboundError('network', 'The answer cannot be unpacked', error);
  }
}

/**
 * Whether a Content-Type is one of the accepted ones. It must have the parameters of the accepted type: its `profile`
 * matches one of the profiles in a list (RFC 6906).
 */
export function isAcceptable(contentType: string | undefined, accepted: readonly string[]): boolean {
  const actual = parsed(contentType ?? '');
  return actual !== undefined && accepted.some((wanted) => matches(actual, new MIMEType(wanted)));
}

function matches(actual: MIMEType, wanted: MIMEType): boolean {
  if (actual.type !== wanted.type) return false;
  if (wanted.subtype !== '*' && actual.subtype !== wanted.subtype) return false;
  return [...wanted.params].every(([name, value]) => actual.params.get(name)?.split(' ').includes(value));
}

function parsed(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

/** Passes a body on as it arrives, and fails with OutboundError `too-large` before more than `maxBytes` of it. */
export async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too-large', `The answer exceeds ${maxBytes} bytes`);
}
