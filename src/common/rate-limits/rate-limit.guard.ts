import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { ENV, type Env, isFlakeId, Limiter, type Verdict } from '../../platform/index.js';
import { trustedProxiesOrLoopback, clientAddress } from './client-address.js';
import { localDomains } from '../routing/uris.js';
import {
  type BucketName,
  bucketName,
  type BucketUse,
  countsPerTarget,
  guardsCredentials,
  isDoneToAccounts,
  RateLimits,
  rateLimitsOf,
  requireAllowed,
} from './rate-limits.js';
import { RateLimitTargets } from './rate-limit-targets.port.js';
import type { ApiRequest } from '../routing/request.js';
import { DomainError } from '../errors/errors.js';
import { showsRefusals } from '../routing/access.js';
import { normalizeDomain } from '../text/idna.js';
import { HANDLE_SIGN } from '../text/scan.js';

/**
 * Counts requests against the buckets of `@RateLimit`, per account or else per client address, and refuses them with
 * 429 over a limit. Every limited answer shows the bucket nearest to its limit.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly limits: RateLimits,
    private readonly limiter: Limiter,
    private readonly targets: RateLimitTargets,
  ) {
    this.ownDomains = localDomains(env);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true; // sockets limit their messages themselves
    const { params } = context.switchToHttp().getRequest<ApiRequest>();
    const uses = rateLimitsOf(context.getHandler(), params).filter((use) => this.holds(bucketName(use)));
    return uses.length === 0 || this.allows(uses, context);
  }

  private async allows(uses: readonly BucketUse[], context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const verdicts = await Promise.all(uses.map((use) => this.consume(use, request)));
    const tightest = verdicts.sort(byRemaining)[0];
    if (!tightest) return true;
    writeHeaders(tightest, http.getResponse());
    try {
      requireAllowed(tightest);
    } catch (error) {
      if (!(error instanceof DomainError && showsRefusals(request, context.getHandler()))) throw error;
      request.refusal = error;
    }
    return true;
  }

  private async consume(use: BucketUse, request: ApiRequest): Promise<Verdict> {
    const bucket = bucketName(use);
    const accountId = request.auth?.accountId;
    const limit = this.limits.of(bucket, accountId ? 'user' : 'anonymous');
    const caller = accountId ? `account ${accountId}` : clientAddress(request, this.proxies(bucket));
    const key = countsPerTarget(bucket) ? `${caller} ${await this.target(bucket, String(request.params.id))}` : caller;
    return this.limiter.consume({ name: use, ...limit }, key);
  }

  /** The target of a path: the id of a known account, else the text as spelled. */
  private async target(bucket: BucketName, named: string): Promise<string> {
    const accountId = isDoneToAccounts(bucket) ? await this.targets.idOf(named) : undefined;
    return accountId ?? this.spelled(named);
  }

  /** A canonical spelling: an id, or `[@]name[@domain]` in lower case and without a local domain. */
  private spelled(named: string): string {
    if (isFlakeId(named)) return named; // ids are case-sensitive
    const [name = '', host, ...rest] = named.toLowerCase().replace(HANDLE_SIGN, '').split('@');
    if (rest.length > 0) return named;
    const domain = host && (normalizeDomain(host) ?? host);
    return domain === undefined || this.ownDomains.includes(domain) ? name : `${name}@${domain}`;
  }

  private holds(bucket: BucketName): boolean {
    const { rateLimits } = this.env;
    return guardsCredentials(bucket) ? rateLimits !== 'off' : rateLimits === 'on';
  }

  /** A forgeable header must not multiply guesses of credentials. */
  private proxies(bucket: BucketName): readonly string[] {
    const { trustedProxies } = this.env;
    return guardsCredentials(bucket) ? trustedProxies : trustedProxiesOrLoopback(trustedProxies);
  }
}

function byRemaining(a: Verdict, b: Verdict): number {
  return Number(a.allowed) - Number(b.allowed) || a.remaining - b.remaining;
}

function writeHeaders({ limit, remaining, resetAt }: Verdict, response: Response): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetAt.toISOString());
}
