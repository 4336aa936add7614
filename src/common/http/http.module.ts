import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ApiExceptionFilter } from './exception.filter.js';
import { Pages } from '../pages/pages.js';
import { RateLimitTargets } from '../rate-limits/rate-limit-targets.port.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { RouteAudit } from '../routing/route-audit.js';
import { Uploads } from '../input/uploads.js';

/** The parts that every request and answer passes. The application's module lists the guards. */
@Module({
  providers: [
    Pages,
    RateLimits,
    RateLimitTargets,
    RouteAudit,
    Uploads,
    { provide: APP_FILTER, useClass: ApiExceptionFilter },
  ],
  exports: [Pages, RateLimits, RateLimitTargets, Uploads],
})
export class HttpModule {}
