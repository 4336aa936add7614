import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Env, type ObjectStore, PRIVATE_FILE, unlessMissing } from '../platform/index.js';
import { BackupError } from './model/backup-error.js';
import { BucketFiles, type CopiedFile, DiskFiles, type CopyPlace } from './file/copy-place.js';

export interface MoveFilesOptions {
  readonly env: Pick<Env, 'dataDir' | 'mediaFileMode'>;
  readonly store: ObjectStore;
  /** The address of the bucket, to know it again. */
  readonly bucket: string;
  readonly to: 'bucket' | 'disk';
  /** Whether the server uses the target already. What is there is then the truth. */
  readonly isLive: boolean;
  /** Whether to remove each file from the source that is in the target. */
  readonly removesSource: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (copied: number, same: number) => void;
}

/** What a move of files did. */
export interface MovedFiles {
  readonly copied: number;
  /** Files that were in the target already. */
  readonly same: number;
  /** Files of the target that were deleted in the source since an earlier pass. */
  readonly dropped: number;
  readonly removed: number;
  /** Files that are newer in the target. */
  readonly newer: readonly string[];
}

/** An earlier pass, as it is noted in DATA_DIR. */
interface Pass {
  readonly target: string;
  readonly startedAt: string;
}

/** `<target> <time>` */
const NOTE = 'moved-files.txt';
const AT_ONCE = 8;
/** Clocks of machines differ, and a file is older than its place in the storage. */
const MARGIN_MS = 60 * 60 * 1000;
const PROGRESS_EACH = 1_000;

/**
 * Copies uploads, emoji, archives and web apps between DATA_DIR and a bucket, beside a server that runs. Another pass copies
 * what came since, and goes on where one was interrupted: files of the same size are there already.
 * @throws BackupError when the source would be removed although the server uses it
 */
export async function moveFiles(options: MoveFilesOptions): Promise<MovedFiles> {
  const { env, store, to, isLive, removesSource } = options;
  if (removesSource && !isLive) {
    throw new BackupError('The server still uses these files: let it use the others first, then remove them.');
  }
  const disk = new DiskFiles(env);
  const bucket = new BucketFiles(store);
  const [source, target] = to === 'bucket' ? [disk, bucket] : [bucket, disk];
  const first = await noteStart(env.dataDir, to === 'bucket' ? options.bucket : 'disk');
  const move = new Move(source, target, options, first && new Date(first.startedAt));
  await move.copyAll();
  if (first && !isLive) await move.dropDeleted(new Date(first.startedAt));
  return move.result;
}

/** One pass. */
class Move {
  readonly result = { copied: 0, same: 0, dropped: 0, removed: 0, newer: [] as string[] };

  constructor(
    private readonly source: CopyPlace,
    private readonly target: CopyPlace,
    private readonly options: MoveFilesOptions,
    private readonly firstPass: Date | undefined,
  ) {}

  async copyAll(): Promise<void> {
    let some: CopiedFile[] = [];
    for await (const file of this.source.list()) {
      this.options.signal.throwIfAborted();
      some.push(file);
      if (some.length < AT_ONCE) continue;
      await Promise.all(some.map((each) => this.copy(each)));
      some = [];
    }
    await Promise.all(some.map((each) => this.copy(each)));
  }

  /** Removes copies whose source was deleted since: nothing would know them any more. */
  async dropDeleted(since: Date): Promise<void> {
    for await (const { path, modifiedAt } of this.target.list()) {
      this.options.signal.throwIfAborted();
      if (modifiedAt.getTime() < since.getTime() - MARGIN_MS || (await this.source.stat(path))) continue;
      await this.target.remove(path);
      this.result.dropped += 1;
    }
  }

  private async copy(file: CopiedFile): Promise<void> {
    const { result, options } = this;
    const there = await this.target.stat(file.path);
    if (there?.size === file.size) result.same += 1;
    else if (there && this.isNewerThere(file, there)) result.newer.push(file.path);
    else if (!there && this.wasDeletedThere(file)) result.dropped += 1;
    else if (!(await this.target.write(file)))
      return; // it was deleted meanwhile
    else result.copied += 1;
    if (options.removesSource) {
      await this.source.remove(file.path);
      result.removed += 1;
    }
    const done = result.copied + result.same;
    if (done % PROGRESS_EACH === 0) options.onProgress?.(result.copied, result.same);
  }

  private isNewerThere(file: CopiedFile, there: { readonly modifiedAt: Date }): boolean {
    return this.options.isLive || there.modifiedAt > file.modifiedAt;
  }

  /** What an earlier pass saw and a target in use does not have was deleted there. */
  private wasDeletedThere({ modifiedAt }: CopiedFile): boolean {
    const { firstPass, options } = this;
    return options.isLive && firstPass !== undefined && modifiedAt.getTime() < firstPass.getTime() - MARGIN_MS;
  }
}

/** Notes that a pass begins. Returns the first one to the same target. */
async function noteStart(dataDir: string, target: string): Promise<Pass | undefined> {
  const path = join(dataDir, NOTE);
  const text = await readFile(path, 'utf8').catch(unlessMissing);
  const [knownTarget, startedAt = ''] = text?.trim().split(' ') ?? [];
  if (knownTarget === target && !Number.isNaN(Date.parse(startedAt))) return { target, startedAt };
  const pass: Pass = { target, startedAt: new Date().toISOString() };
  await writeFile(path, `${pass.target} ${pass.startedAt}\n`, { mode: PRIVATE_FILE });
  return undefined;
}
