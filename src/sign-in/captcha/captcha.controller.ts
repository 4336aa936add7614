import { Get } from '@nestjs/common';
import { Answers, Public, RateLimit, SvcApi } from '../../common/index.js';
import { CaptchaService } from './captcha.service.js';
import { type CaptchaJson, CaptchaShape } from './captcha.shape.js';

/** `GET C/captcha` (spec §4.2). */
@SvcApi('captcha')
export class CaptchaController {
  constructor(private readonly captchas: CaptchaService) {}

  @Get()
  @Public()
  @RateLimit('captcha')
  @Answers(CaptchaShape)
  show(): Promise<CaptchaJson> {
    return this.captchas.issue();
  }
}
