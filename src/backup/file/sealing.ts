import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { BackupDamaged, BackupError } from '../model/backup-error.js';

/** The first bytes of an encrypted backup. */
export const SEALED_MAGIC = Buffer.from('svc sealed backup 1\n');

const SALT_BYTES = 32;
/** Magic and salt. */
export const SEALED_HEADER_BYTES = SEALED_MAGIC.length + SALT_BYTES;
/** Bytes of each part but the last, before encryption. */
const PART_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/**
 * Encrypts a stream by AES-256-GCM in parts of 64 KiB. The form: magic, a salt of 32 bytes, then each part followed by its
 * tag of 16 bytes. The key of the stream is HKDF-SHA256 of the operator's key with that salt and the magic as info. The
 * nonce of a part is its number (11 bytes, big endian) and a byte that is 1 for the last part, so that parts can neither
 * change places nor be cut off; magic and salt are authenticated with each part.
 */
export class Sealing extends Transform {
  private readonly parts: Parts;
  private readonly gathered = new Gathered();

  constructor(key: Buffer) {
    super();
    const header = Buffer.concat([SEALED_MAGIC, randomBytes(SALT_BYTES)]);
    this.parts = new Parts(key, header);
    this.push(header);
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.gathered.add(data);
    while (this.gathered.length > PART_BYTES) this.seal(this.gathered.remove(PART_BYTES), false); // the last one is not empty
    done();
  }

  override _flush(done: TransformCallback): void {
    this.seal(this.gathered.remove(this.gathered.length), true);
    done();
  }

  private seal(part: Buffer, isLast: boolean): void {
    const { key, nonce, header } = this.parts.next(isLast);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(header);
    this.push(Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()]));
  }
}

/** Decrypts what {@link Sealing} wrote. Fails with a BackupError for another key, and for data that was changed or cut off. */
export class Opening extends Transform {
  private parts: Parts | undefined;
  private isFirst = true;
  private readonly gathered = new Gathered();

  constructor(private readonly key: Buffer) {
    super();
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.gathered.add(data);
    try {
      while (this.gathered.length > PART_BYTES + TAG_BYTES + (this.parts ? 0 : SEALED_HEADER_BYTES)) {
        this.open(PART_BYTES + TAG_BYTES, false);
      }
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      if (!this.parts && this.gathered.length < SEALED_HEADER_BYTES) throw new BackupDamaged('it was cut off');
      this.open(this.gathered.length - (this.parts ? 0 : SEALED_HEADER_BYTES), true);
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  private open(length: number, isLast: boolean): void {
    this.parts ??= new Parts(this.key, this.gathered.remove(SEALED_HEADER_BYTES));
    if (length < TAG_BYTES) throw new BackupDamaged('it was cut off');
    const part = this.gathered.remove(length - TAG_BYTES);
    const tag = this.gathered.remove(TAG_BYTES);
    const { key, nonce, header } = this.parts.next(isLast);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(header).setAuthTag(tag);
    const plain = decipher.update(part);
    try {
      decipher.final();
    } catch (cause) {
      throw this.isFirst
        ? new BackupError('This key does not open the backup, or its beginning is damaged.', { cause })
        : new BackupDamaged('a part was changed or cut off', { cause });
    }
    this.isFirst = false;
    this.push(plain);
  }
}

/** The key of one stream, and the nonces of its parts. */
class Parts {
  private readonly key: Buffer;
  private number = 0n;

  constructor(
    key: Buffer,
    private readonly header: Buffer,
  ) {
    const salt = header.subarray(SEALED_MAGIC.length);
    this.key = Buffer.from(hkdfSync('sha256', key, salt, SEALED_MAGIC, 32));
  }

  next(isLast: boolean): { readonly key: Buffer; readonly nonce: Buffer; readonly header: Buffer } {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.number, 3);
    nonce[11] = isLast ? 1 : 0;
    this.number += 1n;
    return { key: this.key, nonce, header: this.header };
  }
}

/** Bytes that arrive in pieces of any size. */
class Gathered {
  private pieces: Buffer[] = [];
  length = 0;

  add(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Removes the first `length` bytes. */
  remove(length: number): Buffer {
    const all =
      this.pieces.length === 1 ? (this.pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.pieces, this.length);
    const rest = all.subarray(length);
    this.pieces = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return all.subarray(0, length);
  }
}
