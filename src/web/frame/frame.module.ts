import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/index.js';
import { AccountsModule } from '../../accounts/index.js';
import { MediaModule } from '../../media/index.js';
import { SignInModule } from '../../sign-in/index.js';
import { PageChoicesService } from './page-choices.js';
import { SessionPages } from './session-pages.js';

/** The frame of the pages of signed-in people. */
@Module({
  imports: [AccessModule, AccountsModule, MediaModule, SignInModule],
  providers: [PageChoicesService, SessionPages],
  exports: [PageChoicesService, SessionPages],
})
export class FrameModule {}
