import { Injectable } from '@nestjs/common';
import {
  Conflict,
  fieldPhrase,
  Invalid,
  isShortcode,
  phrase,
  TooLarge,
  Unprocessable,
  type UploadedFile,
} from '../../common/index.js';
import { isZip, parseUrl } from '../../platform/index.js';
import { CustomEmojiRepository } from '../model/custom-emoji.repository.js';
import { PackArchives } from './pack-archives.js';
import { PackChanges, type PackFiles, requirePack } from './pack-changes.js';
import { asInvalid, PackFetch } from './pack-fetch.js';
import { type Manifest, MAX_FILES } from './pack.manifest.js';
import { pictureNameProblem } from '../model/pack-names.js';
import { PackPictures } from './pack-pictures.js';
import { MAX_PICTURE_BYTES, PackStore } from './pack.store.js';

/** A picture for a new emoji: an uploaded file or a URL. */
export interface NewPicture {
  readonly file: UploadedFile | string;
  readonly shortcode?: string | undefined;
  readonly filename?: string | undefined;
  /** The limit for the picture, if it is lower than that of all pictures. */
  readonly maxBytes?: number;
}

/** The new names of an emoji. */
export interface Renaming {
  readonly shortcode: string;
  readonly newShortcode: string;
  readonly newFilename: string;
  /** Whether to replace another emoji of that name. */
  readonly force: boolean;
}

type Files = Manifest['files'];

/** Manages the emoji of packs (spec §4.2). All methods return the resulting files of the pack. */
@Injectable()
export class PackFilesService {
  constructor(
    private readonly store: PackStore,
    private readonly changes: PackChanges,
    private readonly repository: CustomEmojiRepository,
    private readonly pictures: PackPictures,
    private readonly fetch: PackFetch,
    private readonly archives: PackArchives,
  ) {}

  /**
   * Adds an emoji, or all of a zip archive or none. Missing names are taken from the file name, and those in an archive from
   * its files.
   * @throws Unprocessable for empty names, Invalid for invalid names and unreadable pictures; Conflict when the emoji
   * exists; NotFound
   */
  async add(pack: string, { file, shortcode, filename, maxBytes }: NewPicture): Promise<Files> {
    if (typeof file === 'string' && parseUrl(file) === null)
      throw new Invalid('file must be a picture, or the address of one');
    await this.require(pack);
    if (isEmpty(shortcode) || isEmpty(filename))
      throw new Unprocessable('pack name, shortcode or filename cannot be empty');
    if (typeof file !== 'string' && (await isZip(file.path))) return this.addArchive(pack, file);
    const given = typeof file === 'string' ? nameInUrl(file) : file.filename;
    const stem = given.replace(/^.*[/\\]/s, '').replace(/\.[^.]*$/, '');
    const name = shortcode ?? stem.replace(/[^A-Za-z0-9_+-]+/g, '_');
    requireShortcode(name);
    await this.store.requireRoom();
    const draft = await this.draftOf(file, maxBytes);
    try {
      const { type, content } = await this.pictures.check(draft, filename);
      const placed = filename ?? `${name.replaceAll('+', '_')}.${type.extension}`;
      return await this.place(pack, new Map([[name, placed]]), new Map([[placed, await this.store.draft(content)]]));
    } finally {
      await this.store.discard(draft);
    }
  }

  /**
   * Renames an emoji and its file.
   * @throws Unprocessable, Invalid, Conflict, NotFound like {@link add}
   */
  async rename(pack: string, { shortcode, newShortcode, newFilename, force }: Renaming): Promise<Files> {
    if (isEmpty(newShortcode) || isEmpty(newFilename)) {
      throw new Unprocessable('new_shortcode or new_filename cannot be empty');
    }
    requireShortcode(newShortcode);
    return this.changes.refile(pack, async () => {
      const before = await this.require(pack);
      const file = fileOf(before.files, shortcode);
      const problem = pictureNameProblem(newFilename, extensionOf(file));
      if (problem !== undefined) throw new Invalid(fieldPhrase('new_filename', problem));
      const after = new Map(before.files);
      after.delete(shortcode);
      const other = newShortcode === shortcode ? undefined : await this.makeRoom(pack, after, newShortcode, force);
      if (newFilename !== file) requireFree(after, newFilename);
      after.set(newShortcode, newFilename);
      if (!(await this.repository.rename(pack, shortcode, newShortcode, newFilename))) {
        await this.repository.insert(pack, new Map([[newShortcode, newFilename]]));
      }
      if (newFilename === file) return { before, after, other };
      const write = () => this.store.copy(pack, file, newFilename);
      return { before, after, other, write, replaces: newFilename };
    });
  }

  /** Removes an emoji. @throws Invalid for an unknown emoji, NotFound */
  async remove(pack: string, shortcode: string): Promise<Files> {
    if (isEmpty(shortcode)) throw new Unprocessable('pack name or shortcode cannot be empty');
    return this.changes.refile(pack, async () => {
      const before = await this.require(pack);
      fileOf(before.files, shortcode);
      await this.repository.remove(pack, shortcode);
      return { before, after: without(before.files, shortcode) };
    });
  }

  private async addArchive(pack: string, archive: UploadedFile): Promise<Files> {
    const { manifest, drafts } = await this.archives.unpack(await archive.bytes());
    return this.place(pack, manifest.files, drafts);
  }

  /** Moves drafts into a pack, all or none, by the names of their files. */
  private async place(pack: string, added: Files, drafts: ReadonlyMap<string, string>): Promise<Files> {
    const change = this.changes.refile(pack, async () => {
      const before = await this.require(pack);
      if (before.files.size + added.size > MAX_FILES)
        throw new Invalid(phrase('A pack has at most {max} emoji', { max: MAX_FILES }));
      for (const file of drafts.keys()) requireFree(before.files, file);
      const names = [...added.keys()];
      const inserted = names.some((name) => before.files.has(name)) ? [] : await this.repository.insert(pack, added);
      const missing = names.find((name) => !inserted.includes(name));
      if (missing !== undefined) throw taken(missing);
      const write = async () => {
        for (const [file, draft] of drafts) await this.store.place(draft, pack, file);
      };
      return { before, after: new Map([...before.files, ...added]), write };
    });
    return change.finally(() => this.store.discard(...drafts.values()));
  }

  /** Frees a name from its current emoji. Returns the change of the other pack that has this emoji. */
  private async makeRoom(
    pack: string,
    files: Map<string, string>,
    shortcode: string,
    force: boolean,
  ): Promise<PackFiles | undefined> {
    const owner = await this.repository.packOf(shortcode);
    if ((owner !== undefined || files.has(shortcode)) && !force) throw taken(shortcode);
    files.delete(shortcode);
    if (owner === undefined) return undefined;
    await this.repository.remove(owner, shortcode);
    const before = owner === pack ? undefined : await this.store.manifest(owner);
    return before && { pack: owner, before, after: without(before.files, shortcode) };
  }

  private require(pack: string): Promise<Manifest> {
    return requirePack(this.store, pack, phrase('pack {name} is not found', { name: JSON.stringify(pack) }));
  }

  private async draftOf(file: UploadedFile | string, maxBytes = MAX_PICTURE_BYTES): Promise<string> {
    if (typeof file === 'string') {
      const request = { url: file, accept: ['image/*'], maxBytes };
      return this.store.draft(await asInvalid(this.fetch.bytes(request)));
    }
    if (file.size > maxBytes) throw new TooLarge();
    return this.store.draftOf(file.path);
  }
}

function without(files: Files, shortcode: string): Files {
  return new Map([...files].filter(([name]) => name !== shortcode));
}

function fileOf(files: Files, shortcode: string): string {
  const file = files.get(shortcode);
  if (file === undefined) throw new Invalid(phrase('Emoji {name} does not exist', { name: JSON.stringify(shortcode) }));
  return file;
}

function requireShortcode(shortcode: string): void {
  if (!isShortcode(shortcode)) throw new Invalid('A shortcode has up to 64 letters, digits, and _ + -');
}

function requireFree(files: Files, filename: string): void {
  if ([...files.values()].includes(filename))
    throw new Conflict(phrase('A file named {name} already exists', { name: JSON.stringify(filename) }));
}

function taken(shortcode: string): Conflict {
  return new Conflict(phrase('An emoji with the {name} shortcode already exists', { name: JSON.stringify(shortcode) }));
}

function isEmpty(text: string | undefined): boolean {
  return text?.trim() === '';
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
}

/** The file name in a URL. */
function nameInUrl(url: string): string {
  const name = parseUrl(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
