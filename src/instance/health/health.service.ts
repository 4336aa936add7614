import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, type ObjectStore, UnitOfWork } from '../../platform/index.js';
import { HealthRepository } from './health.repository.js';

/** How long an answer of the storage of files counts, and the longest wait for one: proxies give a probe two seconds. */
const STORAGE_KEPT_MS = 10_000;
const STORAGE_WAIT_MS = 1_000;

/** Whether the storage of files responds. */
export type StorageState = 'ok' | 'unavailable';

/** Reports whether this process can work. */
@Injectable()
export class HealthService {
  private asking: Promise<boolean> | undefined;
  private storage: { readonly state: Promise<StorageState>; readonly askedAt: number } | undefined;

  constructor(
    private readonly repository: HealthRepository,
    private readonly uow: UnitOfWork,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | null,
  ) {}

  /** Whether the database responds. Concurrent probes share one query, so that they never crowd it. */
  isReady(): Promise<boolean> {
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  /** Whether the bucket of files responds; undefined when files are on the disk. Without it the process can still work. */
  async storageState(): Promise<StorageState | undefined> {
    const { store } = this;
    if (!store) return undefined;
    if (!this.storage || this.storage.askedAt < performance.now() - STORAGE_KEPT_MS) {
      const answer = store.check().then(
        (): StorageState => 'ok',
        (): StorageState => 'unavailable',
      );
      const late = delay<StorageState>(STORAGE_WAIT_MS, 'unavailable', { ref: false });
      this.storage = { state: Promise.race([answer, late]), askedAt: performance.now() };
    }
    return this.storage.state;
  }

  private ask(): Promise<boolean> {
    return this.uow
      .outside(() => this.repository.ping())
      .then(
        () => true,
        () => false,
      );
  }
}
