import { buffer } from 'node:stream/consumers';
import {
  type CachedObjects,
  type Env,
  type ListedObject,
  type MediaStorage,
  type ObjectStore,
  type OpenedFile,
} from '../../platform/index.js';
import { isPackName, isPictureName } from '../model/pack-names.js';
import { type Manifest, manifestOf, manifestText } from './pack.manifest.js';
import { flatName, MANIFEST } from './pack-paths.js';
import {
  type FileOnDisk,
  isStillOf,
  MAX_MANIFEST_BYTES,
  MAX_PICTURE_BYTES,
  PackStore,
  stillName,
} from './pack.store.js';

const FOLDER = 'emoji/';
const UNFINISHED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Stores packs in a bucket, as `emoji/<pack>/…`, and reads the pictures that people look at through a cache on this machine.
 * The `pack.json` is stored last and removed first, since a bucket cannot move a folder: one without it is unfinished, and
 * removed after a day.
 */
export class ObjectPackStore extends PackStore {
  constructor(
    env: Pick<Env, 'dataDir'>,
    storage: MediaStorage,
    private readonly store: ObjectStore,
    private readonly cache: CachedObjects,
  ) {
    super(env, storage);
  }

  override async unfinished(): Promise<string[]> {
    const unfinished: string[] = [];
    for (const pack of await this.folders()) if ((await this.left(pack)).length > 0) unfinished.push(pack);
    return unfinished;
  }

  override async removeUnfinished(pack: string): Promise<void> {
    await this.removeAll(await this.left(pack));
  }

  override async names(): Promise<string[]> {
    const folders = await this.folders();
    const whole = await Promise.all(folders.map((pack) => this.has(pack)));
    return folders.filter((_, at) => whole[at]);
  }

  override async has(pack: string): Promise<boolean> {
    return (await this.store.stat(this.key(pack, MANIFEST))) !== undefined;
  }

  /** Changes and checksums need the newest one, and the newest pictures. */
  override async manifest(pack: string): Promise<Manifest | undefined> {
    const file = await contentOf(await this.store.open(this.key(pack, MANIFEST)), MAX_MANIFEST_BYTES);
    return file && manifestOf(file.content.toString('utf8'), flatName);
  }

  override async fingerprint(pack: string): Promise<string | undefined> {
    const found = await this.store.stat(this.key(pack, MANIFEST));
    return found && `${found.tag ?? ''} ${found.size} ${found.modifiedAt.getTime()}`;
  }

  override async picture(pack: string, file: string): Promise<FileOnDisk | undefined> {
    if (!isPackName(pack) || !isPictureName(file)) return undefined;
    return contentOf(await this.store.open(this.key(pack, file)), MAX_PICTURE_BYTES);
  }

  override async shownPicture(pack: string, file: string): Promise<FileOnDisk | undefined> {
    if (!isPackName(pack) || !isPictureName(file)) return undefined;
    return contentOf(await this.cache.open(this.key(pack, file)), MAX_PICTURE_BYTES);
  }

  override async pictures(pack: string): Promise<string[]> {
    const names = (await this.objects(pack)).map(({ key }) => key.slice(this.key(pack, '').length));
    return names.filter((name) => isPictureName(name));
  }

  /** A bucket has no folders within packs. */
  override flatten(): Promise<string[]> {
    return Promise.resolve([]);
  }

  override hasManifest(pack: string): Promise<boolean> {
    return this.has(pack);
  }

  override async place(draft: string, pack: string, file: string): Promise<void> {
    if (!isPictureName(file)) throw new RangeError('Not the name of a picture');
    await this.send(draft, this.key(pack, file));
  }

  override async remove(pack: string, file: string): Promise<void> {
    if (!isPictureName(file)) throw new RangeError('Not the name of a picture');
    await this.removeAll([{ key: this.key(pack, file) }]);
    await this.dropStills(pack, file);
  }

  override async still(pack: string, file: string, digest: string): Promise<Buffer | undefined> {
    const opened = await this.cache.open(this.key(pack, stillName(file, digest)));
    return (await contentOf(opened, MAX_PICTURE_BYTES))?.content;
  }

  override async storeStill(pack: string, file: string, digest: string, still: Buffer): Promise<void> {
    await this.dropStills(pack, file);
    const key = this.key(pack, stillName(file, digest));
    if (await this.store.stat(this.key(pack, file))) await this.store.put(key, still); // the picture may be gone
    this.cache.forget(key);
  }

  override async save(pack: string, manifest: Manifest): Promise<void> {
    await this.store.put(this.key(pack, MANIFEST), Buffer.from(manifestText(manifest)));
  }

  override async create(
    pack: string,
    manifest: Manifest,
    drafts: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    await this.removeAll(await this.objects(pack)); // of an unfinished one
    for (const [file, draft] of drafts) await this.place(draft, pack, file);
    await this.save(pack, manifest);
  }

  override async detach(pack: string): Promise<() => Promise<void>> {
    await this.removeAll([{ key: this.key(pack, MANIFEST) }]);
    return async () => {
      const isGone = !(await this.has(pack)); // there may be a new one of its name
      if (isGone) await this.removeAll(await this.objects(pack));
    };
  }

  protected override async dropStills(pack: string, file: string): Promise<void> {
    const base = this.key(pack, '');
    const objects = await this.store.all(`${base}.${file}.`);
    await this.removeAll(objects.filter(({ key }) => isStillOf(file, key.slice(base.length))));
  }

  private async send(draft: string, key: string): Promise<void> {
    await this.store.put(key, { path: draft });
    this.cache.forget(key);
    await this.discard(draft);
  }

  private async removeAll(objects: readonly { readonly key: string }[]): Promise<void> {
    const keys = objects.map(({ key }) => key);
    await this.store.remove(keys);
    for (const key of keys) this.cache.forget(key);
  }

  /** The names of all packs, also of unfinished ones. */
  private async folders(): Promise<string[]> {
    return (await this.store.folders(FOLDER)).filter(isPackName).sort();
  }

  /** The objects of a pack that was left without its `pack.json` a day ago; none of any other. */
  private async left(pack: string): Promise<ListedObject[]> {
    const objects = await this.objects(pack);
    const isOld = objects.every(({ modifiedAt }) => modifiedAt.getTime() < Date.now() - UNFINISHED_AFTER_MS);
    return isOld && objects.every(({ key }) => key !== this.key(pack, MANIFEST)) ? objects : [];
  }

  private objects(pack: string): Promise<ListedObject[]> {
    return this.store.all(this.key(pack, ''));
  }

  private key(pack: string, file: string): string {
    if (!isPackName(pack)) throw new RangeError('Not the name of a pack');
    return `${FOLDER}${pack}/${file}`;
  }
}

/** The content of an object; undefined when it is missing or too large. */
async function contentOf(opened: OpenedFile | undefined, maxBytes: number): Promise<FileOnDisk | undefined> {
  if (!opened) return undefined;
  if (opened.size > maxBytes) return void opened.stream.destroy();
  return { content: await buffer(opened.stream), modifiedAt: opened.modifiedAt };
}
