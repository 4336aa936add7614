import { Injectable } from '@nestjs/common';
import { Conflict, type UploadedFile } from '../../common/index.js';
import { AttachmentRepository } from '../model/attachment.repository.js';
import { MediaFilesService } from './media-files.service.js';
import { MediaReader } from './media-reader.js';
import { keyAt, pathOf, stillBeside } from './media-urls.js';

/** The use of a profile picture. */
export type PictureUse = 'avatar' | 'header' | 'background';

/** Pixels of the longer side. */
const LONGEST_SIDE: Readonly<Record<PictureUse, number>> = { avatar: 800, header: 2_000, background: 4_000 };

/** A stored picture that no account has yet. */
export interface StoredPicture {
  readonly attachmentId: string;
  /** The path to store with the account. */
  readonly path: string;
}

/** Stores avatars, headers and backgrounds. */
@Injectable()
export class ProfilePicturesService {
  constructor(
    private readonly attachments: AttachmentRepository,
    private readonly reader: MediaReader,
    private readonly files: MediaFilesService,
  ) {}

  /**
   * Stores a picture. It counts as an unused upload, which the sweep removes, until {@link claim}.
   * @throws Unprocessable when it is no picture, or damaged; Unavailable when the disk is nearly full
   */
  async store(accountId: string, file: UploadedFile, use: PictureUse): Promise<StoredPicture> {
    await this.files.requireRoom();
    const media = await this.reader.readPicture(file.path, { maxSide: LONGEST_SIDE[use] });
    const { id, fileKey: key } = await this.files.storePicture(accountId, media);
    if (key === null) throw new Error('A stored picture has no key');
    return { attachmentId: id, path: pathOf(key) };
  }

  /** Assigns a picture to an account, in the unit of work that stores its path. */
  async claim({ attachmentId }: StoredPicture): Promise<void> {
    if (!(await this.attachments.deleteFree(attachmentId)))
      throw new Conflict('The picture was used for something else');
  }

  /** Removes an account's former local picture and its still after the open unit of work commits. */
  discard(path: string | null): void {
    const key = keyAt(path);
    if (key !== undefined) this.files.discard([key, stillBeside(key)].filter((one) => one !== undefined));
  }
}
