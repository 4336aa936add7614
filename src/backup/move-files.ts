import type { Env, ObjectStore } from '../platform/index.js';
import { BucketFiles, type CopiedFile, DiskFiles, type CopyPlace } from './file/copy-place.js';

export interface MoveFilesOptions {
  readonly env: Pick<Env, 'dataDir' | 'mediaFileMode'>;
  readonly store: ObjectStore;
  readonly to: 'bucket' | 'disk';
  /** Whether the server uses the target already. What is there is then the truth. */
  readonly isLive: boolean;
  /** Whether to remove each file from the source that is in the target. The caller knows that no server uses it. */
  readonly removesSource: boolean;
  /** Whether to remove files from the target that the source does not have. The caller knows that all servers use that. */
  readonly removesOthers: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (copied: number, same: number) => void;
}

/** What a move of files did. */
export interface MovedFiles {
  readonly copied: number;
  /** Files that were in the target already. */
  readonly same: number;
  /** Files removed from the target that the source does not have. */
  readonly others: number;
  /** Files removed from the source. */
  readonly removed: number;
  /** Files that are newer in the target. */
  readonly newer: readonly string[];
}

const AT_ONCE = 8;
const PROGRESS_EACH = 1_000;

/**
 * Copies uploads, emoji, archives and web apps between DATA_DIR and a bucket, beside a server that runs. Another pass copies
 * what came since, and goes on where one was interrupted. Nothing is removed unless it is asked for: a pass cannot tell
 * a file that was deleted at one place from one that was not copied yet.
 */
export async function moveFiles(options: MoveFilesOptions): Promise<MovedFiles> {
  const { env, store, to, removesOthers } = options;
  const disk = new DiskFiles(env);
  const bucket = new BucketFiles(store);
  const [source, target] = to === 'bucket' ? [disk, bucket] : [bucket, disk];
  const move = new Move(source, target, options);
  if (removesOthers) await move.removeOthers(); // soon after the caller asked the servers: a copy may take hours
  await move.copyAll();
  return move.result;
}

/** One pass. */
class Move {
  readonly result = { copied: 0, same: 0, others: 0, removed: 0, newer: [] as string[] };

  constructor(
    private readonly source: CopyPlace,
    private readonly target: CopyPlace,
    private readonly options: MoveFilesOptions,
  ) {}

  copyAll(): Promise<void> {
    return this.forAll(this.source, (file) => this.copy(file));
  }

  /** Removes the files that only the target has. */
  removeOthers(): Promise<void> {
    return this.forAll(this.target, async ({ path }) => {
      if (await this.source.stat(path)) return;
      await this.target.remove(path);
      this.result.others += 1;
    });
  }

  private async forAll(place: CopyPlace, work: (file: CopiedFile) => Promise<void>): Promise<void> {
    let some: CopiedFile[] = [];
    for await (const file of place.list()) {
      this.options.signal.throwIfAborted();
      some.push(file);
      if (some.length < AT_ONCE) continue;
      await Promise.all(some.map(work));
      some = [];
    }
    await Promise.all(some.map(work));
  }

  private async copy(file: CopiedFile): Promise<void> {
    const { result, options } = this;
    const there = await this.target.stat(file.path);
    if (there && this.isSame(file, there)) result.same += 1;
    else if (there && this.isNewerThere(file, there)) result.newer.push(file.path);
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

  /** A file of the same size that was not written since it was copied. Storages tell times in whole seconds. */
  private isSame(file: CopiedFile, there: { readonly size: number; readonly modifiedAt: Date }): boolean {
    const second = (time: Date) => Math.floor(time.getTime() / 1_000);
    return there.size === file.size && (this.options.isLive || second(there.modifiedAt) >= second(file.modifiedAt));
  }
}
