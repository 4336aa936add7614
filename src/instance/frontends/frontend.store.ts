import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ENV,
  type Env,
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
  async has({ name, ref }: Build): Promise<boolean> {
    if (!isFrontendName(name) || !isFrontendName(ref)) return false;
    return (await this.folder({ name, ref }).stat(INDEX)) !== undefined;
  }

  /** The files of a build. The caller checked its names. */
  folder(build: Build): FrontendFiles {
    return {
      stat: async (path) => (await this.files(build)).stat(path),
      open: async (path, range) => (await this.files(build)).open(path, range),
    };
  }

  /** The page that a frontend begins with; undefined when the build is not there. */
  async index(build: Build): Promise<string | undefined> {
    if (!(await this.has(build))) return undefined;
    const file = await this.folder(build).open(INDEX);
    return file && text(file.stream);
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
      await rename(this.path(build), former).catch(unlessMissing);
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
    return buffer(file.stream);
  }

  /** The files that are served of a build: those in its folder, or in one below that a bucket was told of. */
  protected async files(build: Build): Promise<FrontendFiles> {
    const current = await readFile(join(this.path(build), CURRENT), 'utf8').catch(unlessMissing);
    return new PublicFolder(join(this.path(build), currentFolder(current)));
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

/** The path of the build that is served, with a slash, by the content of {@link CURRENT}; empty when there is none. */
export function currentFolder(name: string | undefined): string {
  return name !== undefined && UUID.test(name) ? `${BUILDS}/${name}/` : '';
}

const UUID = /^[0-9a-f-]{36}$/;
