import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Uploads } from '../common/index.js';
import { Settings } from './store/settings.js';

/** Passes the file size settings to the upload code, at the start and on change. */
@Injectable()
export class FileLimitSettings implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly uploads: Uploads,
  ) {}

  onModuleInit(): void {
    this.push();
    const paths = ['upload_limit', 'avatar_upload_limit', 'banner_upload_limit', 'background_upload_limit'] as const;
    this.settings.onChange(
      paths.map((path) => `instance.${path}` as const),
      () => this.push(),
    );
  }

  private push(): void {
    this.uploads.configure({
      media: this.settings.get('instance.upload_limit'),
      avatar: this.settings.get('instance.avatar_upload_limit'),
      banner: this.settings.get('instance.banner_upload_limit'),
      background: this.settings.get('instance.background_upload_limit'),
    });
  }
}
