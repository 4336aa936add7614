import { Injectable } from '@nestjs/common';
import { Recurs } from '../platform/index.js';
import { TokensService } from './tokens.service.js';

const DAILY = 1440;

/** Upkeep of the tokens. */
@Injectable()
export class OauthUpkeep {
  constructor(private readonly tokens: TokensService) {}

  @Recurs({ job: 'oauth.purge', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.tokens.purge();
  }
}
