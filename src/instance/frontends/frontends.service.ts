import { Injectable } from '@nestjs/common';
import { Invalid } from '../../common/index.js';
import { type SettingValue, Settings } from '../../config/index.js';
import {
  BadArchive,
  Brand,
  filesOfZip,
  isPublicPath,
  Outbound,
  OutboundError,
  type ZippedFile,
} from '../../platform/index.js';
import { type Build, type FrontendFiles, FrontendStore, isFrontendName } from './frontend.store.js';

const MIB = 1024 * 1024;
/** The limit of an archive in bytes (threat E3). */
export const MAX_BUILD_BYTES = 64 * MIB;
const LIMITS = { maxEntries: 20_000, maxEntryBytes: 32 * MIB, maxTotalBytes: 512 * MIB, skipFolders: true };
const TIMEOUT_MS = 120_000;
const INDEX = 'index.html';
/** An address that apps for Pleroma and Akkoma fetch when they start. */
const BRANDED = /\/api\/(?:v1\/)?(\w+)\/frontend_configurations\b/;

type Known = SettingValue<'frontends.available'>[string];

/** A frontend that can be installed, or is. */
export interface ListedFrontend extends Omit<Known, 'build_dir'> {
  readonly installed: boolean;
  readonly installed_refs: readonly string[];
}

/** A frontend to install: by name, or from another place. */
export interface FrontendSource {
  readonly name: string;
  readonly ref?: string | undefined;
  /** The archive, or the name or whole path of one in the folder of the frontends. */
  readonly file?: Buffer | string | undefined;
  readonly buildUrl?: string | undefined;
  /** The folder of the archive that holds the build. Without it, the one with the uppermost `index.html`. */
  readonly buildDir?: string | undefined;
}

/** An installed build. */
export interface InstalledFrontend extends Build {
  /** The name under which it asks for the API of Pleroma and Akkoma, where that is not the name here. */
  readonly brand: string | undefined;
}

/** Web apps that this server serves itself (spec §4.1.8). */
@Injectable()
export class FrontendsService {
  constructor(
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly store: FrontendStore,
    private readonly outbound: Outbound,
  ) {}

  /** The frontends that can be installed by name, and all others that are installed. */
  async list(): Promise<ListedFrontend[]> {
    const available = this.settings.get('frontends.available');
    const builds = await this.store.builds();
    const names = new Set([...Object.keys(available), ...builds.keys()]);
    return [...names].sort().map((name) => {
      const refs = builds.get(name) ?? [];
      const { git = '', build_url = '', ref = refs[0] ?? '' } = available[name] ?? {};
      return { name, git, build_url, ref, installed: refs.length > 0, installed_refs: refs };
    });
  }

  /**
   * Installs a build, over one of the same version.
   * @throws Invalid when there is no such build, or it is not a frontend
   */
  async install(source: FrontendSource): Promise<InstalledFrontend> {
    const { ref, build_url, build_dir } = this.known(source);
    const build = { name: source.name, ref };
    if (!isFrontendName(build.name) || !isFrontendName(build.ref)) throw new NotInstalled('The name is malformed');
    const files = await unpacked(await this.archive(source, build_url, ref));
    const below = filesBelow(build_dir ?? uppermostIndex(files), files);
    await this.store.put(build, below).catch(notUnpacked);
    const brand = await brandOf(below);
    return { ...build, brand: brand === this.brand.word ? undefined : brand };
  }

  /** Whether a build is installed. */
  isInstalled(build: Build): Promise<boolean> {
    return this.store.has(build);
  }

  /** The build that a setting names; undefined when it is not installed. */
  async chosen(setting: 'frontends.primary' | 'frontends.admin'): Promise<Build | undefined> {
    const build = this.settings.get(setting);
    return build.name !== '' && (await this.store.has(build)) ? build : undefined;
  }

  /** Whether people may see different pages, by their choice. */
  get isChoice(): boolean {
    return this.settings.get('frontends.primary').name !== '' || this.settings.get('frontends.pickable').length > 0;
  }

  /** The builds that people may choose for themselves. */
  async pickable(): Promise<Build[]> {
    const builds = this.settings.get('frontends.pickable').map((text) => {
      const [name = '', ref = ''] = text.split('/');
      return { name, ref };
    });
    const there = await Promise.all(builds.map((build) => this.store.has(build)));
    return builds.filter((_, at) => there[at]);
  }

  /** The first page of a build; undefined when it is not installed. */
  index(build: Build): Promise<string | undefined> {
    return this.store.index(build);
  }

  /** The files of a build, for one request. */
  files(build: Build): Promise<FrontendFiles> {
    return this.store.folder(build);
  }

  /** The values of the caller, else the known ones of this frontend. The folder applies to its own builds only. */
  private known({ name, ref, file, buildUrl, buildDir }: FrontendSource) {
    const known = this.settings.get('frontends.available')[name];
    const isOwn = !file && !buildUrl;
    return {
      ref: ref || known?.ref || 'local',
      build_url: buildUrl || known?.build_url || '',
      build_dir: buildDir ?? (isOwn ? known?.build_dir : undefined),
    };
  }

  private async archive({ file }: FrontendSource, url: string, ref: string): Promise<Buffer> {
    if (Buffer.isBuffer(file)) return file;
    if (file !== undefined && file !== '') {
      const archive = await this.store.archive(file, MAX_BUILD_BYTES);
      return archive ?? notThere();
    }
    if (url === '') throw new NotInstalled('There is no address to fetch it from');
    return this.fetched(url.replaceAll('${ref}', encodeURIComponent(ref)));
  }

  private async fetched(url: string): Promise<Buffer> {
    try {
      const { status, body } = await this.outbound.fetch({ url, maxBytes: MAX_BUILD_BYTES, timeoutMs: TIMEOUT_MS });
      return status === 200 ? body : notUnpacked(new BadArchive(`${url} answered ${status}`));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return notUnpacked(new BadArchive(`${url} cannot be fetched: ${error.message}`));
    }
  }
}

/** A build that cannot be installed; the cause says why, for operators. */
class NotInstalled extends Invalid {
  constructor(cause: string) {
    super('Could not install frontend', { cause: new Error(cause) });
  }
}

function notUnpacked(cause: unknown, details = {}): never {
  if (!(cause instanceof BadArchive)) throw cause;
  throw new Invalid('Could not download or unzip the frontend', { cause, details });
}

function notThere(): never {
  const error_description = 'The file must be an archive in the folder DATA_DIR/frontends of the server';
  return notUnpacked(new BadArchive('There is no such file'), { error_description });
}

/** The name under which the scripts of a build ask for the API of Pleroma and Akkoma; undefined when they do not. */
async function brandOf(files: ReadonlyMap<string, () => Promise<Buffer>>): Promise<string | undefined> {
  for (const [path, content] of files) {
    const [, brand] = (path.endsWith('.js') && BRANDED.exec((await content()).toString())) || [];
    if (brand !== undefined) return brand;
  }
  return undefined;
}

async function unpacked(archive: Buffer): Promise<readonly ZippedFile[]> {
  const files = await filesOfZip(archive, LIMITS).catch(notUnpacked);
  const bad = files.find(({ path }) => path.startsWith('/') || path.includes('\\') || /(^|\/)\.\.?(\/|$)/.test(path));
  return bad ? notUnpacked(new BadArchive('A file lies outside of the archive')) : files;
}

/** The folder of the `index.html` that lies highest. */
function uppermostIndex(files: readonly ZippedFile[]): string {
  const depth = (path: string) => path.split('/').length;
  const all = files.map(({ path }) => path).filter((path) => path === INDEX || path.endsWith(`/${INDEX}`));
  const [first = INDEX] = all.toSorted((a, b) => depth(a) - depth(b));
  return first.slice(0, -INDEX.length);
}

/** The files of a folder by their paths in it. Names that are never served, such as hidden ones, are left out. */
function filesBelow(dir: string, files: readonly ZippedFile[]): ReadonlyMap<string, () => Promise<Buffer>> {
  const prefix = dir.replace(/^(\.?\/)+|\/+$/g, '').replace(/.$/, '$&/');
  const below = files.flatMap((file) => {
    const path = file.path.slice(prefix.length);
    return file.path.startsWith(prefix) && isPublicPath(path) ? [[path, () => file.content()] as const] : [];
  });
  const found = new Map(below);
  if (!found.has(INDEX)) throw new NotInstalled(`There is no ${INDEX} in it`);
  requireNoFolders([...found.keys()]);
  return found;
}

/** On a disk a name is a file or a folder. Behind its name come what lies below it, when a slash is the first character. */
function requireNoFolders(paths: readonly string[]): void {
  const sorted = paths.map((path) => path.replaceAll('/', '\0')).sort();
  if (sorted.some((path, at) => at > 0 && path.startsWith(`${sorted[at - 1]}\0`)))
    notUnpacked(new BadArchive('A file lies where a folder is'));
}
