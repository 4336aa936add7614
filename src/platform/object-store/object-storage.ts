import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  type ByteRange,
  type Content,
  isDiskFull,
  type OpenedFile,
  requireKey,
  type StorageDriver,
  type StoredFile,
} from '../media/storage.js';
import type { ObjectHeaders, ObjectStore } from './object-store.js';

/** The headers that a bucket answers with for a key. */
export type HeadersOfKey = (key: string) => ObjectHeaders;

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Stores files under one folder of a bucket, by the same keys as on a disk. */
export class ObjectStorage implements StorageDriver {
  constructor(
    private readonly store: ObjectStore,
    private readonly folder: string,
    /** Where uploads lie until they are stored. */
    private readonly dataDir: string,
    private readonly headersOf: HeadersOfKey = () => ({}),
  ) {}

  /** A server starts without its storage too: what is needed of it answers 503 until it is there. */
  async prepare(): Promise<void> {
    // nothing to make
  }

  /** Ends uploads of killed processes, which the storage would store, and charge, for ever. */
  removeOldDrafts(): Promise<void> {
    return this.store.removeOldUploads(`${this.folder}/`, new Date(Date.now() - ABANDONED_AFTER_MS));
  }

  async put(key: string, content: Content): Promise<void> {
    await this.store.put(this.path(key), content, this.headersOf(key));
    if (!Buffer.isBuffer(content) && !(content instanceof Readable)) await rm(content.path, { force: true });
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    return this.store.open(this.path(key), range);
  }

  async stat(key: string): Promise<StoredFile | undefined> {
    return this.store.stat(this.path(key));
  }

  async remove(...keys: readonly string[]): Promise<void> {
    return this.store.remove(keys.map((key) => this.path(key)));
  }

  /** The bucket has no end; uploads need room on the disk before they reach it. */
  isFull(): Promise<boolean> {
    return isDiskFull(this.dataDir);
  }

  private path(key: string): string {
    requireKey(key);
    return `${this.folder}/${key}`;
  }
}
