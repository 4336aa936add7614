import { Get } from '@nestjs/common';
import { Answers, Public, RateLimit, Summary, SvcApi } from '../../common/index.js';
import { CaptchaService } from './captcha.service.js';
import { type CaptchaJson, CaptchaShape } from './captcha.shape.js';

/** `GET C/captcha` (spec §4.2). */
@SvcApi('captcha')
export class CaptchaController {
  constructor(private readonly captchas: CaptchaService) {}

  @Summary('Creates a captcha for a registration.')
  @Get()
  @Public()
  @RateLimit('captcha')
  @Answers(CaptchaShape)
  show(): Promise<CaptchaJson> {
    return this.captchas.issue();
  }
}
