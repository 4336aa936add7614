import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ENV,
  type Env,
  hasCode,
  makeFolder,
  PRIVATE_FILE,
  PublicFolder,
  secureFolder,
  type Storage,
} from '../../platform/index.js';

/** The folder of drafts; no name of a frontend begins with a dot. */
const DRAFTS = '.drafts';
const NAME = /^\w[\w.-]{0,63}$/;
const INDEX = 'index.html';

/** Whether a text can be the name or the version of a frontend (threat E5). */
export function isFrontendName(text: string): boolean {
  return NAME.test(text);
}

/** The files of a build, by paths that lead out of no folder. */
export type FrontendFiles = Pick<Storage, 'stat' | 'open'>;

/** An installed build. */
export interface Build {
  readonly name: string;
  readonly ref: string;
}

/** Stores builds of frontends in `DATA_DIR/frontends/name/version`. Readers see a whole build or none. */
@Injectable()
export class FrontendStore implements OnModuleInit {
  protected readonly root: string;

  constructor(@Inject(ENV) env: Pick<Env, 'dataDir'>) {
    this.root = join(env.dataDir, 'frontends');
  }

  async onModuleInit(): Promise<void> {
    await secureFolder(this.root);
  }

  /** The names of frontends with their versions, in order. */
  async builds(): Promise<ReadonlyMap<string, readonly string[]>> {
    const builds = new Map<string, readonly string[]>();
    for (const name of await this.folders()) builds.set(name, await this.folders(name));
    return builds;
  }

  /** Whether the build has a page to begin with. */
  async has({ name, ref }: Build): Promise<boolean> {
    if (!isFrontendName(name) || !isFrontendName(ref)) return false;
    return (await this.folder({ name, ref }).stat(INDEX)) !== undefined;
  }

  /** The files of a build. The caller checked its names. */
  folder(build: Build): FrontendFiles {
    return new PublicFolder(this.path(build));
  }

  /** The page that a frontend begins with; undefined when the build is not there. */
  async index(build: Build): Promise<string | undefined> {
    if (!(await this.has(build))) return undefined;
    return readFile(join(this.path(build), INDEX), 'utf8');
  }

  /** Puts a build in place, over one of the same version. `files` gives contents by safe paths. */
  async put(build: Build, files: ReadonlyMap<string, () => Promise<Buffer>>): Promise<void> {
    const draft = join(this.root, DRAFTS, randomUUID());
    const former = join(this.root, DRAFTS, randomUUID());
    try {
      for (const [path, content] of files) {
        const target = join(draft, path);
        await makeFolder(dirname(target));
        await writeFile(target, await content(), { mode: PRIVATE_FILE, flush: true });
      }
      await makeFolder(join(this.root, build.name));
      await unlessMissing(rename(this.path(build), former));
      await rename(draft, this.path(build));
    } finally {
      for (const path of [draft, former]) await rm(path, { recursive: true, force: true });
    }
  }

  /** An archive in the folder of the frontends, by its name or whole path; undefined when there is no such file. */
  async archive(path: string, maxBytes: number): Promise<Buffer | undefined> {
    const name = isAbsolute(path) ? relative(this.root, path) : path;
    const file = await new PublicFolder(this.root).open(name);
    if (!file || name.includes('/') || file.size > maxBytes) {
      file?.stream.destroy();
      return undefined;
    }
    return Buffer.concat((await file.stream.toArray()) as Buffer[]);
  }

  private async folders(...parts: string[]): Promise<string[]> {
    const entries = await readdir(join(this.root, ...parts), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && isFrontendName(entry.name) ? [entry.name] : [])).sort();
  }

  private path({ name, ref }: Build): string {
    if (!isFrontendName(name) || !isFrontendName(ref)) throw new RangeError('Not the name of a frontend');
    return join(this.root, name, ref);
  }
}

async function unlessMissing(operation: Promise<void>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
