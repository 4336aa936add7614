import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type * as Sdk from '@aws-sdk/client-s3';
import { hasCode } from '../env/errors.js';
import type { ByteRange, Content, OpenedFile, StoredFile } from '../media/storage.js';
import { Semaphore } from '../memory/semaphore.js';
import type { BucketAddress, BucketKey } from '../env/bucket-address.js';
import { StoreClients, type StoreRequest } from './store-clients.js';
import { ExpectedTag, PART_BYTES, type Part, partsOf } from './parts.js';
import { StorageError } from './storage-error.js';

/** Injection token of the {@link ObjectStore} of `STORAGE_URL`; null when files are on the disk. */
export const OBJECT_STORE = Symbol('OBJECT_STORE');

/** Headers that the storage answers with. */
export interface ObjectHeaders {
  readonly contentType?: string;
  readonly contentDisposition?: string;
  readonly cacheControl?: string;
}

/** An object as the storage describes it; equal tags mean equal content. */
export interface StoredObject extends StoredFile {
  readonly tag: string | undefined;
}

export interface ListedObject extends StoredObject {
  readonly key: string;
}

/** Parts that are in memory at once, over all uploads. */
const PARTS_AT_ONCE = 8;
const REMOVED_AT_ONCE = 8;
/** The reader went away, not the storage. */
const GIVEN_UP = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];

/**
 * A folder in an S3-compatible storage. Readers see an object whole or not at all. Each request has a bound in time, and is
 * sent three times at most. Every failure is a {@link StorageError}, but that of a content to store.
 */
export class ObjectStore {
  private readonly clients: StoreClients;
  private readonly turns = new Semaphore(PARTS_AT_ONCE);

  constructor(
    private readonly address: BucketAddress,
    key: BucketKey,
    private readonly onFailure: (error: StorageError) => void = () => undefined,
    private readonly partBytes = PART_BYTES,
  ) {
    this.clients = new StoreClients(address, key);
  }

  /** Stores an object in place of the key's previous one. A failed put leaves that unchanged. Returns the size in bytes. */
  async put(key: string, content: Content, headers: ObjectHeaders = {}): Promise<number> {
    return this.turns.run(async () => {
      const parts = partsOf(content, this.partBytes);
      const first = (await parts.next()).value as Part;
      if (!first.isLast) {
        // A generator that nobody went on with would leave its file open.
        return this.putParts(key, first, parts, headers).finally(() => parts.return(undefined));
      }
      const expected = new ExpectedTag();
      const stored = await this.ask(({ sdk, work }, options) => {
        const body = {
          Body: first.bytes,
          ContentLength: first.bytes.length,
          ContentMD5: base64(expected.add(first.bytes)),
        };
        return work.send(new sdk.PutObjectCommand({ ...this.at(key), ...body, ...sdkHeaders(headers) }), options);
      });
      this.requireTag(expected, stored);
      return first.bytes.length;
    });
  }

  /** The object, or undefined when there is none, or none with that `tag`. The range lies within it. */
  async open(key: string, range?: ByteRange, tag?: string): Promise<OpenedFile | undefined> {
    const what = { ...this.at(key), ...rangeHeader(range), IfMatch: tag };
    const found = await this.find(({ sdk, read }, options) => read.send(new sdk.GetObjectCommand(what), options));
    if (!found) return undefined;
    const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
    const size = whole === undefined ? (found.ContentLength ?? 0) : Number(whole);
    const stream = found.Body as Readable;
    stream.once('error', (error) => {
      if (!hasCode(error, ...GIVEN_UP)) this.onFailure(StorageError.of(error));
    });
    return { size, modifiedAt: found.LastModified ?? new Date(0), stream };
  }

  async stat(key: string): Promise<StoredObject | undefined> {
    const found = await this.find(({ sdk, work }, options) =>
      work.send(new sdk.HeadObjectCommand(this.at(key)), options),
    );
    if (!found) return undefined;
    return { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0), tag: found.ETag };
  }

  /** A part of an object as bytes: it is read again when the connection breaks. */
  async bytes(key: string, range: ByteRange, tag?: string): Promise<Buffer | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const opened = await this.open(key, range, tag);
      try {
        return opened && (await buffer(opened.stream));
      } catch (error) {
        if (attempt === 3) throw StorageError.of(error);
      }
    }
  }

  /**
   * The bytes of an object, in pieces that are read again when the connection breaks; none when there is no such object. They
   * end early when the object is no longer the one that was `found`: it was changed or removed.
   */
  async *read(key: string, found?: Pick<StoredObject, 'size' | 'tag'>): AsyncGenerator<Buffer> {
    const { size = 0, tag } = found ?? (await this.stat(key)) ?? {};
    for (let start = 0; start < size; start += PART_BYTES) {
      const piece = await this.bytes(key, { start, end: Math.min(size, start + PART_BYTES) - 1 }, tag);
      if (!piece) return;
      yield piece;
    }
  }

  /** Removes the objects that are there. */
  async remove(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += REMOVED_AT_ONCE) {
      const some = keys.slice(start, start + REMOVED_AT_ONCE);
      // One by one: storages differ in the checksums that they demand for many.
      await Promise.all(
        some.map((key) =>
          this.find(({ sdk, work }, options) => work.send(new sdk.DeleteObjectCommand(this.at(key)), options)),
        ),
      );
    }
  }

  /** Lists the objects whose keys begin with `prefix`, in the order of their keys. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for await (const { Contents: objects = [] } of this.pages(prefix)) {
      for (const { Key: key = '', Size: size = 0, LastModified: modifiedAt = new Date(0), ETag: tag } of objects) {
        yield { key: key.slice(this.address.prefix.length), size, modifiedAt, tag };
      }
    }
  }

  /** All that {@link list} lists. */
  async all(prefix: string): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    for await (const object of this.list(prefix)) objects.push(object);
    return objects;
  }

  /** The names of the folders directly below `prefix`, which ends in a slash. */
  async folders(prefix: string): Promise<string[]> {
    const names: string[] = [];
    const start = this.address.prefix.length + prefix.length;
    for await (const { CommonPrefixes: folders = [] } of this.pages(prefix, { Delimiter: '/' })) {
      names.push(...folders.map(({ Prefix: found = '' }) => found.slice(start, -1)));
    }
    return names;
  }

  /**
   * Ends uploads in parts below `prefix` that began before a time, of keys that are `ours`; storages that cannot list them end
   * them themselves.
   */
  async removeOldUploads(prefix: string, before: Date, isOurs: (key: string) => boolean = () => true): Promise<void> {
    const where = { Bucket: this.address.bucket, Prefix: this.address.prefix + prefix };
    const page = await this.ask(({ sdk, work }, options) =>
      work.send(new sdk.ListMultipartUploadsCommand(where), options),
    ).catch(unlessUnknown);
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      const isYoung = Initiated !== undefined && Initiated >= before;
      if (isYoung || Key === undefined || !isOurs(Key.slice(this.address.prefix.length))) continue;
      await this.find(({ sdk, work }, options) =>
        work.send(new sdk.AbortMultipartUploadCommand({ Bucket: this.address.bucket, Key, UploadId }), options),
      );
    }
  }

  /** @throws StorageError when the storage does not answer, or refuses the access key */
  async check(): Promise<void> {
    await this.pages('', { MaxKeys: 1 }).next();
  }

  /** Ends the connections. */
  close(): Promise<void> {
    return this.clients.close();
  }

  private async putParts(
    key: string,
    first: Part,
    others: AsyncIterable<Part>,
    headers: ObjectHeaders,
  ): Promise<number> {
    const begun = await this.ask(({ sdk, work }, options) =>
      work.send(new sdk.CreateMultipartUploadCommand({ ...this.at(key), ...sdkHeaders(headers) }), options),
    );
    const upload = { ...this.at(key), UploadId: begun.UploadId };
    try {
      return await this.sendParts(upload, first, others);
    } catch (error) {
      await this.ask(({ sdk, work }, options) => work.send(new sdk.AbortMultipartUploadCommand(upload), options)).catch(
        () => undefined,
      ); // the sweep ends it
      throw error;
    }
  }

  private async sendParts(
    upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined },
    first: Part,
    others: AsyncIterable<Part>,
  ): Promise<number> {
    const expected = new ExpectedTag();
    const sent: Sdk.CompletedPart[] = [];
    let size = 0;
    const send = async ({ bytes }: Part) => {
      const PartNumber = sent.length + 1;
      const body = { Body: bytes, ContentLength: bytes.length, ContentMD5: base64(expected.add(bytes)) };
      const { ETag } = await this.ask(({ sdk, work }, options) =>
        work.send(new sdk.UploadPartCommand({ ...upload, PartNumber, ...body }), options),
      );
      sent.push({ ETag, PartNumber });
      size += bytes.length;
    };
    await send(first);
    for await (const part of others) await send(part);
    const stored = await this.ask(({ sdk, work }, options) =>
      work.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: sent } }), options),
    );
    this.requireTag(expected, stored);
    return size;
  }

  private async *pages(
    prefix: string,
    more: Partial<Sdk.ListObjectsV2CommandInput> = {},
  ): AsyncGenerator<Sdk.ListObjectsV2CommandOutput> {
    const where = { Bucket: this.address.bucket, Prefix: this.address.prefix + prefix, ...more };
    let next: string | undefined;
    do {
      const page = await this.ask(({ sdk, work }, options) =>
        work.send(new sdk.ListObjectsV2Command({ ...where, ContinuationToken: next }), options),
      );
      yield page;
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  /** Tags of objects that the storage encrypts with a key of a key service are no sums. */
  private requireTag(
    expected: ExpectedTag,
    stored: Pick<Sdk.PutObjectCommandOutput, 'ETag' | 'ServerSideEncryption'>,
  ): void {
    const isSum = (stored.ServerSideEncryption ?? 'AES256') === 'AES256';
    if (isSum && expected.isContradictedBy(stored.ETag))
      throw this.failed(new StorageError('stored other bytes than were sent'));
  }

  private at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.address.bucket, Key: this.address.prefix + key };
  }

  /** Undefined when there is no such object. */
  private async find<T>(request: StoreRequest<T>): Promise<T | undefined> {
    try {
      return await this.clients.send(request);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.failed(error);
    }
  }

  private async ask<T>(request: StoreRequest<T>): Promise<T> {
    try {
      return await this.clients.send(request);
    } catch (error) {
      throw this.failed(error);
    }
  }

  private failed(error: unknown): StorageError {
    const failure = StorageError.of(error);
    this.onFailure(failure);
    return failure;
  }
}

function base64(sum: Buffer): string {
  return sum.toString('base64');
}

function sdkHeaders({ contentType, contentDisposition, cacheControl }: ObjectHeaders) {
  return { ContentType: contentType, ContentDisposition: contentDisposition, CacheControl: cacheControl };
}

function rangeHeader(range: ByteRange | undefined): { readonly Range?: string } {
  return range ? { Range: `bytes=${range.start}-${range.end}` } : {};
}

/** A missing bucket is a failure, not a missing object. An object with another tag than that asked for is none. */
function isMissing(error: unknown): boolean {
  const { name = '' } = (error ?? {}) as { name?: string };
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload', 'PreconditionFailed'].includes(name);
}

function unlessUnknown(error: unknown): undefined {
  const status = error instanceof StorageError ? error.status : undefined;
  if (status !== undefined && [400, 404, 405, 501].includes(status)) return undefined;
  throw error;
}
