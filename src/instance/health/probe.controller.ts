import { HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  Answers,
  clientAddress,
  countBodyBytes,
  NotFound,
  OwnBody,
  Public,
  RateLimit,
  RootApi,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { bearer } from './metrics-access.js';
import { type Probe, ProbeShape } from './probe.shape.js';
import { ProbeTickets } from './probe-tickets.js';

/** Says how a request through the public address arrives, for `ctl doctor --online`. */
@RootApi('health')
export class ProbeController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tickets: ProbeTickets,
    private readonly settings: Settings,
  ) {}

  /** Returns 404 without a ticket, which hides the route. The body is counted and dropped. */
  @Post('probe')
  @HttpCode(200)
  @Public()
  @RateLimit('ap_routes')
  @OwnBody()
  @Answers(ProbeShape)
  async probe(@Req() request: Request): Promise<Probe> {
    const { headers } = request;
    if (!this.tickets.isValid(bearer(request))) throw new NotFound('Not found');
    const bytes = await countBodyBytes(request, this.settings.get('instance.upload_limit'));
    return {
      version: this.env.version,
      bytes,
      client: clientAddress(request, this.env.trustedProxies),
      peer: clientAddress(request, []),
      port: request.socket.localPort ?? 0,
      forwarded_for: String(headers['x-forwarded-for'] ?? ''),
      host: headers.host ?? '',
      signature: String(headers['signature'] ?? ''),
      digest: String(headers['digest'] ?? ''),
      date: headers.date ?? '',
    };
  }
}
