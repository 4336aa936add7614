import type { Readable } from 'node:stream';
import { CachedObjects, type Env, isPublicPath, type ObjectStore, StorageError } from '../../platform/index.js';
import { type Build, type FrontendFiles, FrontendStore, isFrontendName } from './frontend.store.js';

const FOLDER = 'frontends';
const INDEX = 'index.html';
const SENT_AT_ONCE = 8;

/**
 * Stores builds of frontends in a bucket, as `frontends/name/version/…`, and reads them through a cache on this machine. The
 * first page is stored last: a build is there when it is whole.
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

  /** Pages are served without a web app while the storage is away. */
  override async has(build: Build): Promise<boolean> {
    try {
      return await super.has(build);
    } catch (error) {
      if (error instanceof StorageError) return false;
      throw error;
    }
  }

  override folder(build: Build): FrontendFiles {
    const base = this.base(build);
    return {
      stat: async (path) => (isPublicPath(path) ? this.cache.stat(base + path) : undefined),
      open: async (path, range) => (isPublicPath(path) ? this.cache.open(base + path, range) : undefined),
    };
  }

  override async index(build: Build): Promise<string | undefined> {
    if (!(await this.has(build))) return undefined;
    const file = await this.folder(build).open(INDEX);
    return file && textOf(file.stream);
  }

  /** Other processes see the new build after seconds. */
  override async put(build: Build, files: ReadonlyMap<string, () => Promise<Buffer>>): Promise<void> {
    const base = this.base(build);
    const former: string[] = [];
    for await (const { key } of this.store.list(base)) former.push(key);
    const paths = [...files.keys()].filter((path) => path !== INDEX);
    const send = async (path: string) => {
      const content = await files.get(path)?.();
      if (content) await this.store.put(base + path, content);
      this.cache.forget(base + path);
    };
    for (let start = 0; start < paths.length; start += SENT_AT_ONCE) {
      await Promise.all(paths.slice(start, start + SENT_AT_ONCE).map(send));
    }
    await send(INDEX);
    await this.store.remove(former.filter((key) => !files.has(key.slice(base.length))));
  }

  private base({ name, ref }: Build): string {
    if (!isFrontendName(name) || !isFrontendName(ref)) throw new RangeError('Not the name of a frontend');
    return `${FOLDER}/${name}/${ref}/`;
  }
}

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat((await stream.toArray()) as Buffer[]).toString('utf8');
}
