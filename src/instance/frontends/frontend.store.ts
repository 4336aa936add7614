import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
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
  unlessMissing,
} from '../../platform/index.js';

/** The folder of drafts; no name of a frontend begins with a dot. */
const DRAFTS = '.drafts';
const NAME = /^\w[\w.-]{0,63}$/;
const INDEX = 'index.html';
/** Names the folder of the build that is served, in one that has several of them. */
export const CURRENT = '.current';
/** The folder of such builds. No path of a public file leads to either. */
export const BUILDS = '.builds';

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
  async has(build: Build): Promise<boolean> {
    return isNamed(build) && (await (await this.folder(build)).stat(INDEX)) !== undefined;
  }

  /**
   * The files of a build, for one request: those in its folder, or in the folder below that `.current` names.
   * @throws RangeError when its name leads elsewhere (threat E5)
   */
  async folder(build: Build): Promise<FrontendFiles> {
    const current = await readFile(join(this.path(build), CURRENT), 'utf8').catch(unlessMissing);
    return new PublicFolder(join(this.path(build), currentFolder(current)));
  }

  /** The page that a frontend begins with; undefined when the build is not there. */
  async index(build: Build): Promise<string | undefined> {
    const file = isNamed(build) ? await (await this.folder(build)).open(INDEX) : undefined;
    return file && text(file.stream);
  }

  /** Puts a build in place, over one of the same version. `files` gives contents by safe paths. */
  async put(build: Build, files: ReadonlyMap<string, () => Promise<Buffer>>): Promise<void> {
    const draft = join(this.root, DRAFTS, randomUUID());
    try {
      for (const [path, content] of files) {
        const target = join(draft, path);
        await makeFolder(dirname(target));
        await writeFile(target, await content(), { mode: PRIVATE_FILE, flush: true });
      }
      await makeFolder(join(this.root, build.name));
      while (!(await this.replace(this.path(build), draft)));
    } finally {
      await rm(draft, { recursive: true, force: true });
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
    return buffer(file.stream);
  }

  /** Puts a draft in the place of a folder; false when another one was put there in between. */
  private async replace(place: string, draft: string): Promise<boolean> {
    const former = join(this.root, DRAFTS, randomUUID());
    try {
      await rename(place, former).catch(unlessMissing);
      await rename(draft, place);
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
      await rename(former, place).catch(unlessMissing);
      throw error;
    } finally {
      await rm(former, { recursive: true, force: true });
    }
  }

  private async folders(...parts: string[]): Promise<string[]> {
    const entries = await readdir(join(this.root, ...parts), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && isFrontendName(entry.name) ? [entry.name] : [])).sort();
  }

  private path(build: Build): string {
    return join(this.root, pathOf(build));
  }
}

/** The path of a build, in DATA_DIR as in a bucket. @throws RangeError when its name leads elsewhere (threat E5) */
export function pathOf(build: Build): string {
  if (!isNamed(build)) throw new RangeError('Not the name of a frontend');
  return `${build.name}/${build.ref}`;
}

function isNamed({ name, ref }: Build): boolean {
  return isFrontendName(name) && isFrontendName(ref);
}

/** The path of the build that is served, with a slash, by the content of {@link CURRENT}; empty when there is none. */
export function currentFolder(name: string | undefined): string {
  return name !== undefined && UUID.test(name) ? `${BUILDS}/${name}/` : '';
}

const UUID = /^[0-9a-f-]{36}$/;
