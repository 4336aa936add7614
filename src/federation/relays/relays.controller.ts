import { Get, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Public, RateLimit, RootApi } from '../../common/index.js';
import { sendServiceDocument } from '../signatures/instance-actor.controller.js';
import { RelaysService } from './relays.service.js';
import { FederatingGuard } from '../signatures/federating.guard.js';

/**
 * The relay actor. Like that of the instance actor its document needs no signature: it holds the key that others verify
 * with.
 */
@RootApi('relay')
@UseGuards(FederatingGuard)
export class RelaysController {
  constructor(private readonly relays: RelaysService) {}

  @Get()
  @Public()
  @RateLimit('ap_routes')
  async actor(@Res() response: Response): Promise<void> {
    sendServiceDocument(response, await this.relays.document());
  }

  @Get('followers')
  @Public()
  @RateLimit('ap_routes')
  async followers(@Res() response: Response): Promise<void> {
    sendServiceDocument(response, await this.relays.collection('followers'));
  }

  @Get('following')
  @Public()
  @RateLimit('ap_routes')
  async following(@Res() response: Response): Promise<void> {
    sendServiceDocument(response, await this.relays.collection('following'));
  }
}
