import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { CachedObjects, type Env, isPublicPath, type ObjectStore, StorageError } from '../../platform/index.js';
import {
  type Build,
  BUILDS,
  CURRENT,
  currentFolder,
  type FrontendFiles,
  FrontendStore,
  isFrontendName,
  pathOf,
} from './frontend.store.js';

const FOLDER = 'frontends';
const SENT_AT_ONCE = 8;
/** Until then other processes may still read a former build, or send a new one. */
const UNUSED_MS = 60 * 60 * 1000;

/**
 * Stores builds of frontends in a bucket, and reads them through a cache on this machine. A build is stored beside the former
 * one of its version, as `frontends/name/version/.builds/…`; then `.current` names it. Without that the files are those of
 * the folder, as on a disk.
 */
export class ObjectFrontendStore extends FrontendStore {
  constructor(
    env: Pick<Env, 'dataDir'>,
    private readonly store: ObjectStore,
    private readonly cache: CachedObjects,
  ) {
    super(env);
  }

  override async builds(): Promise<ReadonlyMap<string, readonly string[]>> {
    const builds = new Map<string, readonly string[]>();
    for (const name of (await this.store.folders(`${FOLDER}/`)).filter(isFrontendName)) {
      const refs = (await this.store.folders(`${FOLDER}/${name}/`)).filter(isFrontendName);
      const whole = await Promise.all(refs.map((ref) => this.has({ name, ref })));
      builds.set(
        name,
        refs.filter((_, at) => whole[at]),
      );
    }
    return builds;
  }

  override async has(build: Build): Promise<boolean> {
    return (await super.has(build).catch(unlessAway)) ?? false;
  }

  override index(build: Build): Promise<string | undefined> {
    return super.index(build).catch(unlessAway);
  }

  override async folder(build: Build): Promise<FrontendFiles> {
    const base = this.base(build) + (await this.current(build));
    return {
      stat: async (path) => (isPublicPath(path) ? this.cache.stat(base + path) : undefined),
      open: async (path, range) => (isPublicPath(path) ? this.cache.open(base + path, range) : undefined),
    };
  }

  /** Other processes see the new build after seconds; what is not the former one and not new is removed. */
  override async put(build: Build, files: ReadonlyMap<string, () => Promise<Buffer>>): Promise<void> {
    const base = this.base(build);
    const before = await this.store.all(base);
    const former = await this.current(build);
    const name = randomUUID();
    const paths = [...files];
    while (paths.length > 0) {
      const some = paths.splice(0, SENT_AT_ONCE);
      await Promise.all(
        some.map(async ([path, content]) => this.store.put(base + currentFolder(name) + path, await content())),
      );
    }
    await this.store.put(base + CURRENT, Buffer.from(name));
    this.cache.forget(base + CURRENT);
    const unused = before.filter(({ key, modifiedAt }) => {
      const isOfFormer = folderOf(key.slice(base.length)) === former;
      return !isOfFormer && key !== base + CURRENT && modifiedAt.getTime() < Date.now() - UNUSED_MS;
    });
    await this.store.remove(unused.map(({ key }) => key));
  }

  private async current(build: Build): Promise<string> {
    const file = await this.cache.open(this.base(build) + CURRENT);
    return currentFolder(file && (await text(file.stream)));
  }

  private base(build: Build): string {
    return `${FOLDER}/${pathOf(build)}/`;
  }
}

/** Pages are served without a web app while the storage is away. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof StorageError)) throw error;
}

/** The folder of the build to which a path belongs, as {@link currentFolder} tells it. */
function folderOf(path: string): string {
  return path.startsWith(`${BUILDS}/`) ? path.split('/', 2).join('/') + '/' : '';
}
