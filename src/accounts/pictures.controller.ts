import { Patch } from '@nestjs/common';
import {
  AcceptsFiles,
  CurrentAccount,
  FilePart,
  Input,
  Invalid,
  Scopes,
  SvcApi,
  type UploadedFile,
} from '../common/index.js';
import type { PictureUse } from '../media/index.js';
import { AccountPictures } from './account-pictures.service.js';

class ImgDto {
  @FilePart() img?: UploadedFile | null;
}

class BannerDto {
  @FilePart() banner?: UploadedFile | null;
}

/** One picture at a time (spec §4.2). An empty text in place of the file takes the picture away. */
@SvcApi('accounts')
export class PicturesController {
  constructor(private readonly pictures: AccountPictures) {}

  @Patch('update_avatar')
  @Scopes('write:accounts')
  @AcceptsFiles({ maxBytes: { img: 'avatar' } })
  avatar(@CurrentAccount() accountId: string, @Input(ImgDto) { img }: ImgDto): Promise<{ url: string | null }> {
    return this.change(accountId, 'avatar', 'img', img);
  }

  @Patch('update_banner')
  @Scopes('write:accounts')
  @AcceptsFiles({ maxBytes: { banner: 'banner' } })
  banner(
    @CurrentAccount() accountId: string,
    @Input(BannerDto) { banner }: BannerDto,
  ): Promise<{ url: string | null }> {
    return this.change(accountId, 'header', 'banner', banner);
  }

  @Patch('update_background')
  @Scopes('write:accounts')
  @AcceptsFiles({ maxBytes: { img: 'background' } })
  background(@CurrentAccount() accountId: string, @Input(ImgDto) { img }: ImgDto): Promise<{ url: string | null }> {
    return this.change(accountId, 'background', 'img', img);
  }

  private async change(
    accountId: string,
    use: PictureUse,
    field: string,
    file: UploadedFile | null | undefined,
  ): Promise<{ url: string | null }> {
    if (file === undefined) throw new Invalid(`${field} is missing`);
    return { url: await this.pictures.change(accountId, use, file) };
  }
}
