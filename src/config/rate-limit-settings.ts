import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type BucketLimit, type Limit, RateLimits } from '../common/index.js';
import { limitDefinitions } from './definitions/definitions.limits.js';
import type { SettingValue } from './definitions/definitions.js';
import { Settings } from './store/settings.js';

type LimitPath = keyof typeof limitDefinitions;

/** Passes the rate limit settings to the rate limiter, at the start and on change. */
@Injectable()
export class RateLimitSettings implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly limits: RateLimits,
  ) {}

  onModuleInit(): void {
    this.push();
    this.settings.onChange(['rate_limit'], () => this.push());
  }

  private push(): void {
    const paths = Object.keys(limitDefinitions) as LimitPath[];
    const limits = paths.map(
      (path) => [path.slice(path.indexOf('.') + 1), bucketLimit(this.settings.get(path))] as const,
    );
    this.limits.configure(Object.fromEntries(limits));
  }
}

function bucketLimit(value: SettingValue<LimitPath>): BucketLimit {
  return isRate(value) ? limit(value) : { anonymous: limit(value[0]), user: limit(value[1]) };
}

type Rate = readonly [windowMs: number, points: number];

function isRate(value: SettingValue<LimitPath>): value is Rate {
  return typeof value[0] === 'number';
}

function limit([windowMs, points]: Rate): Limit {
  return { windowMs, points };
}
