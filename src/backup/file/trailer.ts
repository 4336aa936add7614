import { Transform, type TransformCallback } from 'node:stream';

const MARK = Buffer.from('end of svc backup\n');

/**
 * The last bytes of a backup that is not encrypted: a frame that zstd skips (RFC 8878 §3.1.2). Without it the last bytes of
 * the compressed data could be missing without notice, since they hold nothing but zeros and a checksum.
 */
export const TRAILER = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, MARK.length, 0, 0, 0]), MARK]);

/** Adds the trailer to a stream. */
export class TrailerAppender extends Transform {
  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, data);
  }

  override _flush(done: TransformCallback): void {
    done(null, TRAILER);
  }
}
