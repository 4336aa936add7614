import { Patch } from '@nestjs/common';
import { Type } from 'typebox';
import {
  AcceptsFiles,
  Answers,
  CurrentAccount,
  Describe,
  Described,
  FilePart,
  Input,
  Invalid,
  Nullable,
  phrase,
  Summary,
  Scopes,
  SvcApi,
  type UploadedFile,
  ValidationStatus,
} from '../../common/index.js';
import type { PictureUse } from '../../media/index.js';
import { AccountPicturesService } from './account-pictures.service.js';

/** The address of an account's picture; null after its removal (spec §4.2). */
const PictureShape = Type.Object(
  { url: Described(Nullable(Type.String()), 'The address of the picture; null after its removal.') },
  { additionalProperties: false, title: 'Picture' },
);

/** The names that apps give the file; the first one given counts. */
const NAMES = ['img', 'banner', 'image', 'avatar', 'background', 'file'] as const;

class PictureBody implements Partial<Record<(typeof NAMES)[number], UploadedFile | null>> {
  @Describe('The picture, as a file or a `data:` address; an empty text removes it.')
  @FilePart()
  img?: UploadedFile | null;
  @Describe('Another name of `img`.')
  @FilePart()
  banner?: UploadedFile | null;
  @Describe('Another name of `img`.')
  @FilePart()
  image?: UploadedFile | null;
  @Describe('Another name of `img`.')
  @FilePart()
  avatar?: UploadedFile | null;
  @Describe('Another name of `img`.')
  @FilePart()
  background?: UploadedFile | null;
  @Describe('Another name of `img`.')
  @FilePart()
  file?: UploadedFile | null;
}

const accepting = (size: 'avatar' | 'banner' | 'background') =>
  AcceptsFiles({ maxBytes: Object.fromEntries(NAMES.map((name) => [name, size])), dataUris: true });

/** One picture at a time (spec §4.2), as a file or as a `data:` URI. An empty text removes the picture. */
@SvcApi('accounts')
@ValidationStatus()
export class PicturesController {
  constructor(private readonly pictures: AccountPicturesService) {}

  @Summary("Replaces or removes the caller's avatar.")
  @Patch('update_avatar')
  @Scopes('write:accounts')
  @accepting('avatar')
  @Answers(PictureShape)
  avatar(@CurrentAccount() accountId: string, @Input(PictureBody) files: PictureBody): Promise<{ url: string | null }> {
    return this.change(accountId, 'avatar', 'img', files);
  }

  @Summary("Replaces or removes the caller's header picture.")
  @Patch('update_banner')
  @Scopes('write:accounts')
  @accepting('banner')
  @Answers(PictureShape)
  banner(@CurrentAccount() accountId: string, @Input(PictureBody) files: PictureBody): Promise<{ url: string | null }> {
    return this.change(accountId, 'header', 'banner', files);
  }

  @Summary("Replaces or removes the background picture of the caller's profile.")
  @Patch('update_background')
  @Scopes('write:accounts')
  @accepting('background')
  @Answers(PictureShape)
  background(
    @CurrentAccount() accountId: string,
    @Input(PictureBody) files: PictureBody,
  ): Promise<{ url: string | null }> {
    return this.change(accountId, 'background', 'img', files);
  }

  /** `documented` is the name that the file has in the documentation. */
  private async change(
    accountId: string,
    use: PictureUse,
    documented: keyof PictureBody,
    files: PictureBody,
  ): Promise<{ url: string | null }> {
    const given = NAMES.find((name) => files[name] !== undefined);
    const file = given && files[given];
    if (file === undefined) throw new Invalid(phrase('{field} is missing', { field: documented }));
    return { url: await this.pictures.change(accountId, use, file) };
  }
}
