import { Injectable } from '@nestjs/common';
import { Conflict, Invalid, isShortcode, Unprocessable, type UploadedFile } from '../../common/index.js';
import { CustomEmojiRepository } from '../model/custom-emoji.repository.js';
import { PackChanges, requirePack } from './pack-changes.js';
import { asInvalid, PackFetch } from './pack-fetch.js';
import { type Manifest, MAX_FILES } from './pack.manifest.js';
import { pictureNameProblem } from '../model/pack-names.js';
import { type CheckedPicture, PackPictures } from './pack-pictures.js';
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
  ) {}

  /**
   * Adds an emoji. Missing names are taken from the file name.
   * @throws Unprocessable for empty names, Invalid for invalid names and unreadable pictures; Conflict when the emoji
   * exists; NotFound
   */
  async add(pack: string, { file, shortcode, filename, maxBytes }: NewPicture): Promise<Files> {
    if (typeof file === 'string' && !URL.canParse(file))
      throw new Invalid('file must be a picture, or the address of one');
    await this.require(pack);
    if (isEmpty(shortcode) || isEmpty(filename))
      throw new Unprocessable('pack name, shortcode or filename cannot be empty');
    const given = typeof file === 'string' ? nameInUrl(file) : file.filename;
    const stem = given.replace(/^.*[/\\]/s, '').replace(/\.[^.]*$/, '');
    const name = shortcode ?? stem.replace(/[^A-Za-z0-9_+-]+/g, '_');
    requireShortcode(name);
    await this.store.requireRoom();
    const draft = await this.draftOf(file, maxBytes);
    try {
      const picture = await this.pictures.check(draft, filename);
      return await this.place(
        pack,
        name,
        filename ?? `${name.replaceAll('+', '_')}.${picture.type.extension}`,
        picture,
      );
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
    const gone: string[] = [];
    const files = await this.changes.run(async () => {
      const { files: before, metadata } = await this.require(pack);
      const file = fileOf(before, shortcode);
      const problem = pictureNameProblem(newFilename, extensionOf(file));
      if (problem !== undefined) throw new Invalid(`new_filename ${problem}`);
      const after = new Map(before);
      after.delete(shortcode);
      gone.push(file);
      if (newShortcode !== shortcode) gone.push(...(await this.makeRoom(pack, after, newShortcode, force)));
      requireFree(after, newFilename);
      after.set(newShortcode, newFilename);
      if (!(await this.repository.rename(pack, shortcode, newShortcode, newFilename))) {
        await this.repository.insert(pack, new Map([[newShortcode, newFilename]]));
      }
      await this.store.copy(pack, file, newFilename);
      await this.store.save(pack, { files: after, metadata });
      return after;
    });
    await this.changes.clear(pack, gone);
    return files;
  }

  /** Removes an emoji. @throws Invalid for an unknown emoji, NotFound */
  async remove(pack: string, shortcode: string): Promise<Files> {
    if (isEmpty(shortcode)) throw new Unprocessable('pack name or shortcode cannot be empty');
    const [files, file] = await this.changes.run(async () => {
      const { files: before, metadata } = await this.require(pack);
      const removed = fileOf(before, shortcode);
      const after = new Map([...before].filter(([name]) => name !== shortcode));
      await this.repository.remove(pack, shortcode);
      await this.store.save(pack, { files: after, metadata });
      return [after, removed];
    });
    await this.changes.clear(pack, [file]);
    return files;
  }

  private place(pack: string, shortcode: string, filename: string, { content }: CheckedPicture): Promise<Files> {
    return this.changes.run(async () => {
      const { files: before, metadata } = await this.require(pack);
      if (before.size >= MAX_FILES) throw new Invalid(`A pack has at most ${MAX_FILES} emoji`);
      requireFree(before, filename);
      const [added] = before.has(shortcode) ? [] : await this.repository.insert(pack, new Map([[shortcode, filename]]));
      if (added === undefined) throw taken(shortcode);
      const files = new Map(before).set(shortcode, filename);
      await this.store.place(await this.store.draft(content), pack, filename);
      await this.store.save(pack, { files, metadata });
      return files;
    });
  }

  /** Frees a name from its current emoji; returns the files of the pack that lose their emoji. */
  private async makeRoom(
    pack: string,
    files: Map<string, string>,
    shortcode: string,
    force: boolean,
  ): Promise<string[]> {
    const owner = await this.repository.packOf(shortcode);
    const file = files.get(shortcode);
    if ((owner !== undefined || file !== undefined) && !force) throw taken(shortcode);
    if (owner !== undefined) await this.repository.remove(owner, shortcode);
    files.delete(shortcode);
    return file === undefined ? [] : [file];
  }

  private require(pack: string): Promise<Manifest> {
    return requirePack(this.store, pack, `pack ${JSON.stringify(pack)} is not found`);
  }

  private async draftOf(file: UploadedFile | string, maxBytes = MAX_PICTURE_BYTES): Promise<string> {
    if (typeof file === 'string') {
      const request = { url: file, accept: ['image/*'], maxBytes };
      return this.store.draft(await asInvalid(this.fetch.bytes(request)));
    }
    return this.store.draftOf(file.path);
  }
}

function fileOf(files: Files, shortcode: string): string {
  const file = files.get(shortcode);
  if (file === undefined) throw new Invalid(`Emoji ${JSON.stringify(shortcode)} does not exist`);
  return file;
}

function requireShortcode(shortcode: string): void {
  if (!isShortcode(shortcode)) throw new Invalid('A shortcode has up to 64 letters, digits, and _ + -');
}

function requireFree(files: Files, filename: string): void {
  if ([...files.values()].includes(filename))
    throw new Conflict(`A file named ${JSON.stringify(filename)} already exists`);
}

function taken(shortcode: string): Conflict {
  return new Conflict(`An emoji with the ${JSON.stringify(shortcode)} shortcode already exists`);
}

function isEmpty(text: string | undefined): boolean {
  return text?.trim() === '';
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
}

/** The file name in a URL. */
function nameInUrl(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
