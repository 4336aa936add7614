import { Get, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public, RateLimit, RootApi } from '../../common/index.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import { InstanceActors } from './instance-actors.js';
import { FederatingGuard } from './federating.guard.js';

/**
 * The actor that stands for this server: it signs what is fetched from others. Its document needs no signature, or two
 * servers that demand signatures would wait for each other's key.
 */
@RootApi('internal/fetch')
@UseGuards(FederatingGuard)
export class InstanceActorController {
  constructor(private readonly actors: InstanceActors) {}

  @Get()
  @Public()
  @RateLimit('ap_routes')
  async actor(@Res() response: Response): Promise<void> {
    sendServiceDocument(response, await this.actors.fetching());
  }

  @Get('outbox')
  @Public()
  @RateLimit('ap_routes')
  outbox(@Res() response: Response): void {
    sendServiceDocument(response, this.actors.outbox());
  }
}

/** Answers with a document that is the same for every reader. */
export function sendServiceDocument(response: Response, document: object): void {
  response.set({ 'content-type': ACTIVITY_JSON, 'cache-control': 'public, max-age=180' });
  response.send(Buffer.from(JSON.stringify(document)));
}
