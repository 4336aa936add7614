import { Injectable } from '@nestjs/common';
import { DAILY, Recurs } from '../../platform/index.js';
import { AppsService } from '../apps/apps.service.js';
import { CodesService } from './codes.service.js';
import { TokensService } from './tokens.service.js';

/** Removes old tokens, codes and apps. */
@Injectable()
export class OauthJobs {
  constructor(
    private readonly tokens: TokensService,
    private readonly codes: CodesService,
    private readonly apps: AppsService,
  ) {}

  @Recurs({ job: 'oauth.purge', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.tokens.purge();
    await this.codes.purge();
    await this.apps.purge();
  }
}
