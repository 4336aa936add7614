import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { ApiRequest } from '../../common/index.js';
import { Batches, DAILY, entryLimit, Recurs, Semaphore } from '../../platform/index.js';
import { hostOf } from '../wire/uris.js';
import { DocumentAccess } from './document-access.js';
import { DocumentReadersRepository, type ReadingServer } from './document-readers.repository.js';

const DAY_MS = 24 * 3_600_000;
const KEPT_DAYS = 30;
/** Readings that this process knows to be stored, whose signatures were valid, so that a server that reads often costs nothing. */
const MOST_RECENT = 10_000;
/** Signatures that are checked at once, some of them by asking for a key, and those that may wait for it. */
const CHECKED_AT_ONCE = 4;
const MOST_WAITING = 500;

/**
 * Remembers which servers fetched what with a signature, so that they learn of its deletion. Works after the answer, and in
 * memory until the signature is checked: a crash, or a flood of signatures, loses readings.
 */
@Injectable()
export class DocumentReaders implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Readers');
  private readonly recent = new LRUCache<string, true>({ ...entryLimit(MOST_RECENT), ttl: DAY_MS });
  private readonly checks = new Semaphore(CHECKED_AT_ONCE);
  private readonly running = new Set<Promise<void>>();
  private isStopping = false;
  private readonly insertions = new Batches<ReadingServer & { readonly uri: string }, undefined>(async (readings) => {
    await this.repository.insert(readings);
    return [];
  });

  constructor(
    private readonly access: DocumentAccess,
    private readonly repository: DocumentReadersRepository,
  ) {}

  /** Waits for the signatures that are being checked. Those that only wait for their turn are not checked any more. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.settled();
  }

  /** Remembers that documents with these ids were served, if they were and if the request is signed. */
  remember(request: ApiRequest, response: Response, uris: readonly string[]): void {
    if (response.statusCode !== 200 || this.running.size >= MOST_WAITING) return;
    const [keyId] = this.access.claimsOf(request);
    const claimed = keyId === undefined ? undefined : hostOf(keyId);
    const newUris = uris.filter((uri) => claimed !== undefined && !this.recent.has(`${claimed} ${uri}`));
    if (newUris.length === 0) return;
    const storing = this.store(request, newUris)
      .then((isStored) => {
        if (isStored) for (const uri of newUris) this.recent.set(`${claimed} ${uri}`, true);
      })
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'A reader of a document was not stored');
      })
      .finally(() => this.running.delete(storing));
    this.running.add(storing);
  }

  /** The servers that have read a document lately. */
  serversOf(uri: string): Promise<ReadingServer[]> {
    return this.repository.serversOf(uri);
  }

  /** Resolves when what was to be remembered so far is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.running);
  }

  /** Forgets what was read a month ago. */
  @Recurs({ job: 'federation.purge-document-readers', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.repository.purge(KEPT_DAYS);
  }

  private async store(request: ApiRequest, uris: readonly string[]): Promise<boolean> {
    const server = await this.checks.run(async () => (this.isStopping ? undefined : this.access.serverOf(request)));
    if (!server) return false;
    await Promise.all(uris.map((uri) => this.insertions.add({ ...server, uri })));
    return true;
  }
}
