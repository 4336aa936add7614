import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  type DatabaseAddress,
  ENV,
  type Env,
  hasCode,
  JobRepository,
  messageOf,
  Recurs,
  Worker,
} from '../platform/index.js';
import { createBackup } from './create-backup.js';
import { readBackupKey } from './file/backup-key.js';
import { BackupError } from './model/backup-error.js';
import { dayOf, scheduledName, surplusBackups, timeOfName } from './schedule/retention.js';

/** Injection token of the address of the server's database. */
export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

const JOB = 'backup.make';
/** A backup that failed is tried again within the day. */
const EVERY_MINUTES = 60;
/** A newest backup that is older than this is a problem. */
const OLD_MS = 36 * 60 * 60 * 1_000;

/** The state of scheduled backups. */
export interface BackupSchedule {
  readonly folder: string;
  /** Names of scheduled backups in the folder, newest first. */
  readonly names: readonly string[];
  /** One line each; empty when all is well. */
  readonly problems: readonly string[];
}

/** Writes a backup into `BACKUP_FOLDER` once on each day of UTC, and removes old ones. */
@Injectable()
export class ScheduledBackupsService {
  private readonly logger = new Logger('Backup');

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    private readonly jobs: JobRepository,
    private readonly worker: Worker,
  ) {}

  /** Makes the backup of this day unless it is there. A failure is logged, and shown by `ctl doctor`. */
  @Recurs({ job: JOB, everyMinutes: EVERY_MINUTES, queue: 'transfer' })
  async make(): Promise<void> {
    const { backupFolder: folder } = this.env;
    if (folder === undefined) return;
    try {
      await this.makeIn(folder);
    } catch (error) {
      if (this.worker.stopping.aborted) return; // the next process makes it
      this.logger.error(`The backup of this day failed: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Undefined without `BACKUP_FOLDER`. */
  async schedule(): Promise<BackupSchedule | undefined> {
    const { backupFolder: folder } = this.env;
    if (folder === undefined) return undefined;
    const lastError = await this.jobs.lastErrorOf(`recurring:${JOB}`);
    const failure = lastError === undefined ? [] : [`the last try failed: ${lastError}`];
    try {
      const names = await scheduledIn(folder);
      const newest = names[0] === undefined ? undefined : timeOfName(names[0]);
      const isOld = !newest || newest.getTime() < Date.now() - OLD_MS;
      const age = newest ? `the newest one in ${folder} is of ${dayOf(newest)}` : `there is none in ${folder}`;
      return { folder, names, problems: [...(isOld ? [age] : []), ...failure] };
    } catch (error) {
      return { folder, names: [], problems: [messageOf(error), ...failure] };
    }
  }

  private async makeIn(folder: string): Promise<void> {
    const now = new Date();
    const names = await scheduledIn(folder);
    if (names.some((name) => timeOfName(name)?.toISOString().startsWith(dayOf(now)))) return;
    await removeDrafts(folder);
    const { backupKeyFile, backupRetention } = this.env;
    const key = backupKeyFile === undefined ? undefined : await readBackupKey(backupKeyFile);
    const path = join(folder, scheduledName(now, key !== undefined));
    const { env, address } = this;
    const { size } = await createBackup({ address, env, path, key, signal: this.worker.stopping });
    this.logger.log(`Made the backup ${path} (${size} bytes)`);
    for (const name of surplusBackups(await scheduledIn(folder), backupRetention)) await rm(join(folder, name));
  }
}

/**
 * The scheduled backups of a folder, newest first.
 * @throws BackupError when there is no such folder
 */
async function scheduledIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    throw new BackupError(`The folder ${folder} (BACKUP_FOLDER) cannot be read.`, { cause: error });
  });
  return names
    .filter((name) => timeOfName(name))
    .sort()
    .reverse();
}

/** Removes what killed processes left of scheduled backups. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith('.partial') && timeOfName(name.replace(/\.partial$/, ''))) await rm(join(folder, name));
  }
}
