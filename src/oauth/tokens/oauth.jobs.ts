import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { AppsService } from '../apps/apps.service.js';
import { CaptchaService } from '../captcha/captcha.service.js';
import { CodesService } from './codes.service.js';
import { TokensService } from './tokens.service.js';

const DAILY = 1440;

/** Removes old tokens, codes, apps and captchas. */
@Injectable()
export class OauthJobs {
  constructor(
    private readonly tokens: TokensService,
    private readonly codes: CodesService,
    private readonly apps: AppsService,
    private readonly captchas: CaptchaService,
  ) {}

  @Recurs({ job: 'oauth.purge', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.tokens.purge();
    await this.codes.purge();
    await this.apps.purge();
    await this.captchas.purge();
  }
}
