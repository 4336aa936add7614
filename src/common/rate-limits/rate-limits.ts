import { Injectable, SetMetadata } from '@nestjs/common';
import type { Verdict } from '../../platform/index.js';
import { TooManyRequests } from '../errors/errors.js';

/** A number of requests within a window. */
export interface Limit {
  readonly points: number;
  readonly windowMs: number;
}

/** One limit for all callers, or one each for anonymous and signed-in callers. */
export type BucketLimit = Limit | { readonly anonymous: Limit; readonly user: Limit };

/** The limits until an operator sets others (spec §10.5). */
const DEFAULTS = {
  authentication: { points: 15, windowMs: 60_000 },
  timeline: { anonymous: { points: 10, windowMs: 1000 }, user: { points: 300, windowMs: 300_000 } },
  search: { anonymous: { points: 10, windowMs: 1000 }, user: { points: 30, windowMs: 1000 } },
  app_account_creation: { points: 25, windowMs: 1_800_000 },
  app_tokens: { points: 100, windowMs: 1_800_000 },
  captcha: { points: 30, windowMs: 60_000 },
  relations_actions: { points: 10, windowMs: 10_000 },
  relation_id_action: { points: 10, windowMs: 60_000 },
  follows: { points: 400, windowMs: 86_400_000 },
  statuses_actions: { points: 30, windowMs: 10_000 },
  status_id_action: { points: 10, windowMs: 60_000 },
  posts: { points: 300, windowMs: 10_800_000 },
  uploads: { points: 30, windowMs: 1_800_000 },
  report: { points: 30, windowMs: 3_600_000 },
  ap_routes: { points: 300, windowMs: 300_000 },
  inbox: { points: 3_000, windowMs: 10_000 },
  inbox_refused: { points: 300, windowMs: 300_000 },
  password_reset: { points: 5, windowMs: 1_800_000 },
  account_confirmation_resend: { points: 5, windowMs: 8_640_000 },
} satisfies Record<string, BucketLimit>;

export type BucketName = keyof typeof DEFAULTS;

/** Names one of several counts of a bucket: `timeline:home` and `timeline:public` share a limit but not a count. */
export type BucketUse = BucketName | `${BucketName}:${string}`;

type Parameters = Readonly<Record<string, unknown>>;

/** A use that depends on the parameters of the path; undefined for none. */
type UseOf = (parameters: Parameters) => BucketUse | undefined;

/**
 * Buckets against guessing of passwords and codes, and against floods of mail: they apply even where other limits are
 * off.
 */
const CREDENTIAL_BUCKETS = new Set<BucketName>(['authentication', 'password_reset', 'account_confirmation_resend']);

/** Buckets counted per target: the `:id` of the path. */
const TARGET_BUCKETS = new Set<BucketName>(['relation_id_action', 'status_id_action']);

/** The buckets per target whose target is an account, which a path may name in several ways. */
const ACCOUNT_BUCKETS = new Set<BucketName>(['relation_id_action']);

const RATE_LIMIT = 'rate-limit';

/** Limits how often a handler may be called, by one or more buckets, per account or else per client address. */
export const RateLimit = (...buckets: (BucketUse | UseOf)[]) => SetMetadata(RATE_LIMIT, buckets);

/** The buckets that {@link RateLimit} declared for a handler, in a request with these parameters of the path. */
export function rateLimitsOf(handler: object, parameters: Parameters = {}): readonly BucketUse[] {
  const uses = (Reflect.getOwnMetadata(RATE_LIMIT, handler) as readonly (BucketUse | UseOf)[] | undefined) ?? [];
  return uses.flatMap((use) => (typeof use === 'string' ? use : (use(parameters) ?? [])));
}

/** The bucket of a use. */
export function bucketName(use: BucketUse): BucketName {
  return use.split(':', 1)[0] as BucketName;
}

/** @throws TooManyRequests when a limit is used up */
export function requireAllowed({ allowed, resetAt }: Verdict): void {
  if (!allowed) throw new TooManyRequests(Math.max(Math.ceil((resetAt.getTime() - Date.now()) / 1000), 1));
}

export function guardsCredentials(bucket: BucketName): boolean {
  return CREDENTIAL_BUCKETS.has(bucket);
}

export function countsPerTarget(bucket: BucketName): boolean {
  return TARGET_BUCKETS.has(bucket);
}

export function isDoneToAccounts(bucket: BucketName): boolean {
  return ACCOUNT_BUCKETS.has(bucket);
}

/** The current limits. The module that owns the settings sets them, at the start and on change. */
@Injectable()
export class RateLimits {
  private limits: Readonly<Record<BucketName, BucketLimit>> = DEFAULTS;

  /** Sets the limits of some buckets; the others get their default. */
  configure(limits: Partial<Record<BucketName, BucketLimit>>): void {
    this.limits = { ...DEFAULTS, ...limits };
  }

  of(bucket: BucketName, caller: 'anonymous' | 'user'): Limit {
    const limit = this.limits[bucket];
    return 'points' in limit ? limit : limit[caller];
  }
}
