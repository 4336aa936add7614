import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public, RateLimit, RootApi } from '../../common/index.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import { RelaysService } from './relays.service.js';

/**
 * The relay actor. Like that of the instance actor its document needs no signature: it holds the key that others verify
 * with.
 */
@RootApi('relay')
export class RelaysController {
  constructor(private readonly relays: RelaysService) {}

  @Get()
  @Public()
  @RateLimit('ap_routes')
  async actor(@Res() response: Response): Promise<void> {
    send(response, await this.relays.document());
  }

  @Get('followers')
  @Public()
  @RateLimit('ap_routes')
  async followers(@Res() response: Response): Promise<void> {
    send(response, await this.relays.collection('followers'));
  }

  @Get('following')
  @Public()
  @RateLimit('ap_routes')
  async following(@Res() response: Response): Promise<void> {
    send(response, await this.relays.collection('following'));
  }
}

function send(response: Response, document: object): void {
  response.set({ 'content-type': ACTIVITY_JSON, 'cache-control': 'public, max-age=180' });
  response.send(Buffer.from(JSON.stringify(document)));
}
