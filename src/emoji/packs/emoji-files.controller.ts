import { Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NotFound, Public, RootApi } from '../../common/index.js';
import { EmojiPictures } from './emoji-pictures.js';

/** 14 days. Browsers ask again after that, since an operator may replace a picture. */
const CACHING = 'public, max-age=1209600';
/** A browser that opens a picture as a page shows only the picture (threat E6). */
const POLICY =
  "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'";

/** The public pictures of custom emoji. */
@RootApi('emoji')
export class EmojiFilesController {
  constructor(private readonly pictures: EmojiPictures) {}

  @Get('*path')
  @Public()
  async show(@Param('path') path: string | string[], @Res() response: Response): Promise<void> {
    const picture = await this.pictures.find([path].flat());
    if (!picture) throw new NotFound('Not found');
    response.set({
      'Content-Type': picture.mime,
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': CACHING,
      ETag: picture.tag,
    });
    response.send(picture.content);
  }
}
