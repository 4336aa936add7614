import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  type DatabaseAddress,
  ENV,
  type Env,
  JobRepository,
  messageOf,
  OBJECT_STORE,
  type ObjectStore,
  Recurs,
  tryAdvisoryLock,
  Worker,
} from '../platform/index.js';
import { createBackup } from './create-backup.js';
import { readBackupKey } from './file/backup-key.js';
import { type BackupFolder, backupFolder } from './place/backup-folder.js';
import { dayOf, isToCome, scheduledName, surplusBackups, timeOfName } from './schedule/retention.js';

/** Injection token of the address of the server's database. */
export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

const JOB = 'backup.make';
/** A backup that failed is tried again within the day. */
const EVERY_MINUTES = 60;
/** A large server takes long to read, and a slow storage to write. */
const LONGEST_MS = 3 * 24 * 60 * 60 * 1_000;
/** Held while a backup is made. */
const LOCK = 'svc: backup';
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
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | null,
  ) {}

  /**
   * Makes the backup of this day unless it is there. A failure is logged, and shown by `ctl doctor`. A try that was given up
   * still writes: another one would remove its draft, so it does nothing meanwhile.
   */
  @Recurs({ job: JOB, everyMinutes: EVERY_MINUTES, atStart: true, queue: 'transfer', longestMs: LONGEST_MS })
  async make(): Promise<void> {
    const folder = this.folder();
    if (!folder) return;
    try {
      await tryAdvisoryLock(this.address, LOCK, () => this.makeIn(folder));
    } catch (error) {
      if (this.worker.stopping.aborted) return; // the next process makes it
      this.logger.error(`The backup of this day failed: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Undefined without `BACKUP_FOLDER`. */
  async schedule(): Promise<BackupSchedule | undefined> {
    const { backupFolder: text } = this.env;
    if (text === undefined) return undefined;
    const lastError = await this.jobs.lastErrorOf(`recurring:${JOB}`);
    const failure = lastError === undefined ? [] : [`the last try failed: ${lastError}`];
    try {
      const folder = backupFolder(text, this.env);
      const names = await scheduledIn(folder);
      return { folder: folder.name, names, problems: [...ageProblems(folder.name, names), ...failure] };
    } catch (error) {
      return { folder: text, names: [], problems: [messageOf(error), ...failure] };
    }
  }

  private folder(): BackupFolder | undefined {
    const { backupFolder: text } = this.env;
    return text === undefined ? undefined : backupFolder(text, this.env);
  }

  private async makeIn(folder: BackupFolder): Promise<void> {
    const now = new Date();
    const names = await scheduledIn(folder);
    if (names.some((name) => timeOfName(name)?.toISOString().startsWith(dayOf(now)))) return;
    await folder.removeDrafts((name) => timeOfName(name) !== undefined);
    const { backupKeyFile, backupRetention } = this.env;
    const key = backupKeyFile === undefined ? undefined : await readBackupKey(backupKeyFile);
    const place = folder.place(scheduledName(now, key !== undefined));
    const { env, address, store } = this;
    const { size } = await createBackup({ address, env, place, store, key, signal: this.worker.stopping });
    this.logger.log(`Made the backup ${place.name} (${size} bytes)`);
    for (const name of surplusBackups(await scheduledIn(folder), backupRetention, now)) await folder.remove(name);
  }
}

/** What is wrong with the age of the newest backup: none is made on a day to come that has one already. */
function ageProblems(folder: string, [name = '']: readonly string[], now = new Date()): string[] {
  const newest = timeOfName(name);
  if (!newest) return [`there is none in ${folder}`];
  if (isToCome(newest, now))
    return [`the newest one in ${folder} is of ${dayOf(newest)}, which is to come: see the clock, and move it away`];
  return now.getTime() - newest.getTime() > OLD_MS ? [`the newest one in ${folder} is of ${dayOf(newest)}`] : [];
}

/**
 * The scheduled backups of a folder, newest first.
 * @throws BackupError when there is no such folder
 */
async function scheduledIn(folder: BackupFolder): Promise<string[]> {
  return (await folder.list())
    .filter((name) => timeOfName(name))
    .sort()
    .reverse();
}
