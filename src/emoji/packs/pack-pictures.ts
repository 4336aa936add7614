import { Injectable } from '@nestjs/common';
import { asReason, fieldPhrase, Invalid, phrase } from '../../common/index.js';
import { Images, type MediaType, sniffMediaType, UnreadableMedia } from '../../platform/index.js';
import { readFile } from 'node:fs/promises';
import { pictureNameProblem } from '../model/pack-names.js';
import { MAX_PICTURE_BYTES } from './pack.store.js';

/** Pixels of the longer side; emoji are always shown small. */
const MAX_SIDE = 2_048;

/** A checked picture. */
interface CheckedPicture {
  readonly type: MediaType;
  /** The picture without its metadata. */
  readonly content: Buffer;
}

/** Checks pictures for new emoji, in the process that decodes pictures. */
@Injectable()
export class PackPictures {
  constructor(private readonly images: Images) {}

  /**
   * Reads a picture on disk. A given name must match its type.
   * @throws Invalid
   */
  async check(path: string, name?: string): Promise<CheckedPicture> {
    const type = await sniffMediaType(path);
    if (type?.kind !== 'image') throw new Invalid('Emoji must be pictures');
    const problem = name === undefined ? undefined : pictureNameProblem(name, type.extension);
    if (problem !== undefined) throw new Invalid(fieldPhrase(JSON.stringify(name), problem));
    const { width, height, content } = await this.read(path, type.mime);
    if (Math.max(width, height) > MAX_SIDE)
      throw new Invalid(phrase('Emoji have at most {max} pixels a side', { max: MAX_SIDE }));
    const bytes = content ?? (await readFile(path));
    if (bytes.length > MAX_PICTURE_BYTES) throw new Invalid('The picture is too large');
    return { type, content: bytes };
  }

  private async read(path: string, mime: string) {
    try {
      return await this.images.read(path, mime);
    } catch (error) {
      if (error instanceof UnreadableMedia) throw new Invalid(asReason(error.message), { cause: error });
      throw error;
    }
  }
}
