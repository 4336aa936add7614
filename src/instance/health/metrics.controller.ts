import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound, Public, RootApi } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Metrics } from '../../platform/index.js';
import { mayReadMetrics } from './metrics-access.js';

/** Metrics of the server for Prometheus. */
@RootApi('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  /** Returns 404 without access, which hides the route. */
  @Get()
  @Public()
  async show(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    if (!mayReadMetrics(request, this.settings.get('metrics.token'))) throw new NotFound('Not found');
    const { contentType, text } = await this.metrics.render();
    response.setHeader('Content-Type', contentType);
    return text;
  }
}
