import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, type FileHandle, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Unavailable } from '../../common/index.js';
import {
  MediaStorage,
  ENV,
  type Env,
  hasCode,
  makeFolder,
  PRIVATE_FILE,
  secureFolder,
  SweepsHere,
  unlessMissing,
} from '../../platform/index.js';
import { type Manifest, manifestOf, manifestText } from './pack.manifest.js';
import { isPackName, isPictureName } from '../model/pack-names.js';
import { flatName, MANIFEST, readPackFolder } from './pack-paths.js';

/** The limit of one picture in bytes (threat E3). */
export const MAX_PICTURE_BYTES = 1024 * 1024;
export const MAX_MANIFEST_BYTES = 1024 * 1024;
/** The folder of drafts and removed packs; no pack name leads into it. */
const DRAFTS = '.drafts';
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** A file on disk. */
export interface FileOnDisk {
  readonly content: Buffer;
  readonly modifiedAt: Date;
}

/**
 * Stores the packs of custom emoji: folders below `DATA_DIR/emoji`, each with its pictures and a `pack.json`. No name
 * leads out of them and no link is followed (threats E1, E2). Readers see a whole file or none.
 */
@Injectable()
export class PackStore implements OnModuleInit {
  private readonly root: string;

  constructor(
    @Inject(ENV) env: Pick<Env, 'dataDir'>,
    private readonly storage: MediaStorage,
  ) {
    this.root = join(env.dataDir, 'emoji');
  }

  async onModuleInit(): Promise<void> {
    for (const folder of [this.root, join(this.root, DRAFTS)]) await secureFolder(folder);
    await this.sweepDrafts();
  }

  /** Removes old drafts of killed processes; a process that restarts at once leaves its own drafts in place. */
  @SweepsHere()
  async sweepDrafts(): Promise<void> {
    for (const name of await readdir(join(this.root, DRAFTS))) {
      const path = join(this.root, DRAFTS, name);
      const draft = await lstat(path).catch(unlessMissing);
      if (draft && draft.mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
    }
  }

  /** The packs that a killed process was making or removing a day ago; none on the disk, where a folder moves as a whole. */
  unfinished(): Promise<string[]> {
    return Promise.resolve([]);
  }

  /** Removes what is left of a pack, if it still is {@link unfinished}. */
  async removeUnfinished(_pack: string): Promise<void> {
    // nothing is left
  }

  /** The names of all folders with valid pack names, in order. */
  async names(): Promise<string[]> {
    const entries = await readdir(this.root, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && isPackName(entry.name));
    return folders.map(({ name }) => name).sort();
  }

  /** Whether a folder of that name exists and is no link. */
  async has(pack: string): Promise<boolean> {
    const entry = await lstat(this.path(pack)).catch(unlessMissing);
    return entry?.isDirectory() ?? false;
  }

  /** The manifest of a pack; undefined when there is none, and for one that is unreadable or too large. */
  async manifest(pack: string): Promise<Manifest | undefined> {
    return (await this.has(pack)) ? this.manifestAt(this.path(pack, MANIFEST)) : undefined;
  }

  /**
   * Whether a pack has a `pack.json`, also in a folder of it, which may be unreadable: the operator's file, which nothing may
   * replace or stand above then.
   */
  async hasManifest(pack: string): Promise<boolean> {
    return (await this.manifestPath(pack)) !== undefined;
  }

  /** A fingerprint of a pack's archive content, which changes with every change through this server. */
  async fingerprint(pack: string): Promise<string | undefined> {
    const entry = await lstat(this.path(pack, MANIFEST), { bigint: true }).catch(unlessMissing);
    return entry && `${entry.ino} ${entry.size} ${entry.mtimeNs}`;
  }

  /** A picture of a pack; undefined for other files and too large ones. */
  async picture(pack: string, file: string): Promise<FileOnDisk | undefined> {
    if (!isPackName(pack) || !isPictureName(file) || !(await this.has(pack))) return undefined;
    return contentOf(this.path(pack, file), MAX_PICTURE_BYTES);
  }

  /** Like {@link picture}, for people who look at it: it may be as it was some seconds ago. */
  shownPicture(pack: string, file: string): Promise<FileOnDisk | undefined> {
    return this.picture(pack, file);
  }

  /** The names of all pictures in a folder, in order. */
  async pictures(pack: string): Promise<string[]> {
    const entries = await readdir(this.path(pack), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && isPictureName(entry.name) ? [entry.name] : [])).sort();
  }

  /**
   * Moves the files in folders of a pack out of them, under the names that they would have from an archive: those that the
   * `pack.json` names, and all pictures when there is none; none when it is unreadable. A file whose name is taken stays;
   * returns the paths of such files.
   */
  async flatten(pack: string): Promise<string[]> {
    const written = await this.manifestPath(pack);
    const manifest = written === undefined ? undefined : await this.manifestAt(this.path(pack, written));
    if (written !== undefined && !manifest) return [];
    const files = await readPackFolder(this.path(pack));
    const named = manifest && new Set(manifest.files.values());
    const pictures = files.filter(({ name }) => name !== MANIFEST && (named?.has(name) ?? true));
    const left: string[] = [];
    // The pack.json last: the names of the others depend on where it is.
    const moved = written ? [...pictures, { path: written, name: MANIFEST }] : pictures;
    for (const { path, name } of moved) {
      const target = this.path(pack, name);
      if (path === name) continue;
      if (await lstat(target).catch(unlessMissing)) left.push(path);
      else await rename(this.path(pack, path), target).catch(unlessMissing);
    }
    return left;
  }

  /** @throws Unavailable when the disk is nearly full: posts still have room then (threat M8) */
  async requireRoom(): Promise<void> {
    if (!(await this.hasRoom())) throw new Unavailable('The server has no room left');
  }

  async hasRoom(): Promise<boolean> {
    return !(await this.storage.isFull());
  }

  /** Writes a hidden file, and returns its path. */
  async draft(content: Buffer | string): Promise<string> {
    const path = join(this.root, DRAFTS, randomUUID());
    await writeFile(path, content, { flush: true, mode: PRIVATE_FILE });
    return path;
  }

  /** Makes a draft of any file on disk. */
  async draftOf(file: string): Promise<string> {
    const path = join(this.root, DRAFTS, randomUUID());
    await copyFile(file, path);
    await chmod(path, PRIVATE_FILE);
    return path;
  }

  /** Moves a draft to the place of a picture, replacing an existing one. */
  place(draft: string, pack: string, file: string): Promise<void> {
    return rename(draft, this.picturePath(pack, file));
  }

  /** Gives a picture a second name. */
  async copy(pack: string, from: string, to: string): Promise<void> {
    const stored = await this.picture(pack, from);
    if (stored) await this.place(await this.draft(stored.content), pack, to);
  }

  /** Removes a picture, if present, and its still. */
  async remove(pack: string, file: string): Promise<void> {
    await rm(this.picturePath(pack, file), { force: true });
    await this.dropStills(pack, file);
  }

  /** The still of a picture with that content digest; undefined when there is none. */
  async still(pack: string, file: string, digest: string): Promise<Buffer | undefined> {
    return (await contentOf(this.path(pack, stillName(file, digest)), MAX_PICTURE_BYTES))?.content;
  }

  /** Stores a still beside its picture, replacing stills of its former content. */
  async storeStill(pack: string, file: string, digest: string, still: Buffer): Promise<void> {
    await this.dropStills(pack, file);
    const draft = await this.draft(still);
    await rename(draft, this.path(pack, stillName(file, digest))).catch(unlessMissing); // the pack may be gone
    await this.discard(draft);
  }

  /** Writes the `pack.json` of a pack. */
  async save(pack: string, manifest: Manifest): Promise<void> {
    await rename(await this.draft(manifestText(manifest)), this.path(pack, MANIFEST));
  }

  /** Makes a pack of drafts, whole or not at all. Its name must be free. */
  async create(pack: string, manifest: Manifest, drafts: ReadonlyMap<string, string> = new Map()): Promise<void> {
    const folder = join(this.root, DRAFTS, randomUUID());
    await makeFolder(folder);
    for (const [file, draft] of drafts) {
      if (!isPictureName(file)) throw new RangeError('Not the name of a picture');
      await rename(draft, join(folder, file));
    }
    await rename(await this.draft(manifestText(manifest)), join(folder, MANIFEST));
    await rename(folder, this.path(pack));
  }

  /** Moves a pack out of sight; returns what removes its files then. */
  async detach(pack: string): Promise<() => Promise<void>> {
    const folder = join(this.root, DRAFTS, randomUUID());
    await rename(this.path(pack), folder);
    return () => rm(folder, { recursive: true, force: true });
  }

  /** Removes drafts. */
  async discard(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  protected async dropStills(pack: string, file: string): Promise<void> {
    const names = (await readdir(this.path(pack)).catch(unlessMissing)) ?? [];
    for (const name of names) if (isStillOf(file, name)) await rm(this.path(pack, name), { force: true });
  }

  /** The path of the `pack.json` in the fewest folders of a pack, as it is below the pack; undefined when there is none. */
  private async manifestPath(pack: string): Promise<string | undefined> {
    if ((await this.fingerprint(pack)) !== undefined) return MANIFEST;
    const files = await readPackFolder(this.path(pack)).catch(unlessMissing);
    return files?.find(({ name }) => name === MANIFEST)?.path;
  }

  private async manifestAt(path: string): Promise<Manifest | undefined> {
    const file = await contentOf(path, MAX_MANIFEST_BYTES);
    return file && manifestOf(file.content.toString('utf8'), flatName);
  }

  private picturePath(pack: string, file: string): string {
    if (!isPictureName(file)) throw new RangeError('Not the name of a picture');
    return this.path(pack, file);
  }

  private path(pack: string, ...file: string[]): string {
    if (!isPackName(pack)) throw new RangeError('Not the name of a pack');
    return join(this.root, pack, ...file);
  }
}

/** The name of a still; no picture of a pack can have it. */
export function stillName(file: string, digest: string): string {
  return `.${file}.${digest}.still.webp`;
}

/** Whether a name is that of a still of a picture. */
export function isStillOf(file: string, name: string): boolean {
  return name.startsWith(`.${file}.`) && /^[0-9a-f]{16}\.still\.webp$/.test(name.slice(file.length + 2));
}

/** The content of a regular file; undefined when it is missing, a link or too large. */
async function contentOf(path: string, maxBytes: number): Promise<FileOnDisk | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(unlessLink);
  if (!file) return undefined;
  try {
    return await read(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, maxBytes: number): Promise<FileOnDisk | undefined> {
  const entry = await file.stat();
  if (!entry.isFile() || entry.size > maxBytes) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(entry.size), 0, entry.size, 0);
  return bytesRead === entry.size ? { content: buffer, modifiedAt: entry.mtime } : undefined; // it is being written
}

function unlessLink(error: unknown): undefined {
  if (!hasCode(error, 'ELOOP')) unlessMissing(error);
}
