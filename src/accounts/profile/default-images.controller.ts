import { Get, Header, StreamableFile } from '@nestjs/common';
import { Public, RootApi } from '../../common/index.js';
import { readProjectFile } from '../../platform/index.js';

const CACHING = 'public, max-age=2592000'; // 30 days
const PNG = { type: 'image/png', disposition: 'inline' };

/** The default pictures of accounts. */
@RootApi('images')
export class DefaultImagesController {
  private readonly avatar = read('avi.png');
  private readonly banner = read('banner.png');

  @Get('avi.png')
  @Public()
  @Header('Cache-Control', CACHING)
  showAvatar(): StreamableFile {
    return new StreamableFile(this.avatar, { ...PNG, length: this.avatar.length });
  }

  @Get('banner.png')
  @Public()
  @Header('Cache-Control', CACHING)
  showBanner(): StreamableFile {
    return new StreamableFile(this.banner, { ...PNG, length: this.banner.length });
  }
}

function read(name: string): Buffer {
  return readProjectFile(`assets/images/${name}`);
}
