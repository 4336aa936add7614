import { readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { FORMER_ARCHIVES } from '../../media/index.js';
import {
  DAILY,
  ENV,
  type Env,
  hasCode,
  messageOf,
  OBJECT_STORE,
  type ObjectStore,
  Recurs,
  StoredFolder,
} from '../../platform/index.js';

/** Stores archives of accounts in `archives`, apart from the public media, on the disk or in the bucket (threat P11). */
@Injectable()
export class ArchiveStorage extends StoredFolder implements OnModuleInit {
  private readonly logger = new Logger(ArchiveStorage.name);
  private readonly former: string;

  constructor(@Inject(ENV) env: Pick<Env, 'dataDir'>, @Inject(OBJECT_STORE) store: ObjectStore | null) {
    super({ env, store, name: 'archives' });
    this.former = join(env.dataDir, 'media', FORMER_ARCHIVES);
  }

  async onModuleInit(): Promise<void> {
    await this.prepare();
    await this.moveFormer();
  }

  /** Daily too: a worker of an older release may run for a while beside this one. */
  @Recurs({ job: 'portability.tidy-archives', everyMinutes: DAILY })
  async tidy(): Promise<void> {
    await this.removeOldDrafts();
    await this.moveFormer();
  }

  /** Moves the archives of older releases here. Their keys and addresses stay. */
  private async moveFormer(): Promise<void> {
    const names = await readdir(this.former).catch(unlessMissing);
    if (!names) return;
    for (const name of names) await this.moveOne(name);
    await rmdir(this.former).catch(unlessMissing);
  }

  /** A failure does not stop the start: the former folder is not served either. */
  private async moveOne(name: string): Promise<void> {
    try {
      await this.put(`${FORMER_ARCHIVES}/${name}`, { path: join(this.former, name) });
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return; // another process was faster
      this.logger.warn(`${join(this.former, name)} cannot be moved to the archives: ${messageOf(error)}`);
    }
  }
}

function unlessMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT', 'ENOTEMPTY')) return undefined;
  throw error;
}
