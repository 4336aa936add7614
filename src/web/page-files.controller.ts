import { Get, Header, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { NotFound, PAGE_ASSETS, Public, RootApi } from '../common/index.js';
import { readProjectFile } from '../platform/index.js';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** The files of pages, and those at well-known paths. */
@RootApi('')
export class PageFilesController {
  private readonly assets = new Map(PAGE_ASSETS.map((asset) => [asset.path, asset]));
  private readonly icon = read('favicon.ico');
  private readonly picture = read('favicon.png');

  /** A file of another release is missing: the page that asks for it is older than this server. */
  @Get('pages/:file')
  @Public()
  asset(@Param('file') file: string, @Res({ passthrough: true }) response: Response): StreamableFile {
    const asset = this.assets.get(`/pages/${file}`);
    if (!asset) throw new NotFound();
    response.setHeader('Cache-Control', FOR_GOOD);
    return inline(asset.content, asset.type);
  }

  @Get('favicon.ico')
  @Public()
  @Header('Cache-Control', A_DAY)
  favicon(): StreamableFile {
    return inline(this.icon, 'image/x-icon');
  }

  @Get('favicon.png')
  @Public()
  @Header('Cache-Control', A_DAY)
  faviconPicture(): StreamableFile {
    return inline(this.picture, 'image/png');
  }
}

function inline(content: Buffer, type: string): StreamableFile {
  return new StreamableFile(content, { type, disposition: 'inline', length: content.length });
}

function read(name: string): Buffer {
  return readProjectFile(`assets/pages/${name}`);
}
