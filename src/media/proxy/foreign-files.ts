import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import {
  isPassingStatus,
  type MediaType,
  Outbound,
  OutboundError,
  type OutboundStream,
  sniffForeignType,
} from '../../platform/index.js';
import { ProxyUrls } from './proxy-urls.js';

/** A file of another server that is being downloaded. */
export interface ForeignFile {
  /** The type by content. */
  readonly type: MediaType;
  /** In bytes, if the other server sent it. */
  readonly length: number | undefined;
  /** The caller reads or closes it. */
  readonly body: AsyncIterable<Buffer>;
  readonly close: () => void;
}

export type FailureReason = 'unreachable' | 'too-large' | 'refused';

/** A file cannot be fetched or must not be shown. The reason stays on this server (threat S8). */
export class ForeignFileError extends Error {
  constructor(
    readonly reason: FailureReason,
    /** Undefined when the answer itself is unusable. */
    cause?: unknown,
  ) {
    super(`A file of another server is ${reason}`, { cause });
  }
}

const ACCEPT = 'image/*, video/*, audio/*';
/** Accepted content types: the content decides later. Some storages send octet-stream for everything. */
const CALLED = /^(?:(?:image|video|audio)\/(?!svg)[\w.+-]+|application\/(?:octet-stream|ogg)|binary\/octet-stream)$/i;
/** Enough to detect any known type. */
const BEGINNING_BYTES = 16 * 1024;

/** Fetches files of other servers (boundary B4, threat M7): without cookies, and without data of the viewer. */
@Injectable()
export class ForeignFiles {
  constructor(
    private readonly settings: Settings,
    private readonly outbound: Outbound,
    private readonly urls: ProxyUrls,
  ) {}

  /** @throws ForeignFileError */
  async open(url: string): Promise<ForeignFile> {
    try {
      return await this.opened(url);
    } catch (error) {
      if (error instanceof ForeignFileError && error.cause === undefined) {
        this.outbound.report({ url }, `the file is ${error.reason}`);
      }
      throw asFailure(error) ?? error;
    }
  }

  private async opened(url: string): Promise<ForeignFile> {
    const maxBytes = this.settings.get('media_proxy.max_body_length');
    const answer = await this.outbound.open({
      url,
      headers: { accept: ACCEPT },
      maxBytes,
      timeoutMs: this.settings.get('media_proxy.max_read_duration'),
      maxRedirects: this.settings.get('media_proxy.max_redirects'),
      avoid: this.urls.avoided, // the server would wait for itself
    });
    try {
      const length = lengthOf(answer);
      if (length !== undefined && length > maxBytes) throw new ForeignFileError('too-large');
      requireMedia(answer);
      const { beginning, body } = await begun(answer.body);
      const type = await sniffForeignType(beginning);
      if (!type) throw new ForeignFileError('refused');
      return { type, length, body, close: answer.close };
    } catch (error) {
      answer.close();
      throw error;
    }
  }
}

/** The failure of a remote file; undefined for other errors. */
export function asFailure(error: unknown): ForeignFileError | undefined {
  if (error instanceof ForeignFileError) return error;
  if (!(error instanceof OutboundError)) return undefined;
  const { kind } = error;
  if (kind === 'too-large') return new ForeignFileError(kind, error);
  return new ForeignFileError(kind === 'network' || kind === 'timeout' ? 'unreachable' : 'refused', error);
}

function requireMedia({ status, headers }: OutboundStream): void {
  if (status !== 200) throw new ForeignFileError(isPassingStatus(status) ? 'unreachable' : 'refused', status);
  const [called = ''] = (headers['content-type'] ?? '').split(';');
  if (called.trim() !== '' && !CALLED.test(called.trim())) throw new ForeignFileError('refused');
}

function lengthOf({ headers }: OutboundStream): number | undefined {
  const length = headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Splits off the beginning of a body, and returns the whole body too. */
async function begun(body: AsyncIterable<Buffer>): Promise<{ beginning: Buffer; body: AsyncIterable<Buffer> }> {
  const rest = body[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  for (let size = 0; size < BEGINNING_BYTES;) {
    const next = await rest.next();
    if (next.done) break;
    chunks.push(next.value);
    size += next.value.length;
  }
  const beginning = Buffer.concat(chunks);
  return { beginning, body: joined(beginning, rest) };
}

async function* joined(beginning: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  yield beginning;
  yield* { [Symbol.asyncIterator]: () => rest };
}
