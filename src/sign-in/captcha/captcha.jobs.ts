import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { CaptchaService } from './captcha.service.js';

const DAILY = 24 * 60;

/** Removes captchas that expired. */
@Injectable()
export class CaptchaJobs {
  constructor(private readonly captchas: CaptchaService) {}

  @Recurs({ job: 'captchas.purge', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.captchas.purge();
  }
}
