import { bucketName, RateLimit, RateLimits, rateLimitsOf } from './rate-limits.js';

describe('RateLimits', () => {
  it('has the documented limits until others are set', () => {
    const limits = new RateLimits();
    expect(limits.of('authentication', 'anonymous')).toEqual({ points: 15, windowMs: 60_000 });
    expect(limits.of('search', 'anonymous')).toEqual({ points: 10, windowMs: 1000 });
    expect(limits.of('search', 'user')).toEqual({ points: 30, windowMs: 1000 });
  });

  it('accepts other limits, and returns to the documented limit of a removed one', () => {
    const limits = new RateLimits();
    const strict = { points: 1, windowMs: 1000 };
    limits.configure({ search: strict });
    expect(limits.of('search', 'user')).toBe(strict);
    limits.configure({});
    expect(limits.of('search', 'user')).toEqual({ points: 30, windowMs: 1000 });
  });
});

it('reads the buckets of a handler and the counts that it uses', () => {
  class Controller {
    @RateLimit('statuses_actions', 'status_id_action:favourite') favourite(): void {
      // only its metadata is of interest
    }
  }
  const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'favourite')?.value as object;
  const uses = rateLimitsOf(handler);
  expect(uses).toEqual(['statuses_actions', 'status_id_action:favourite']);
  expect(uses.map(bucketName)).toEqual(['statuses_actions', 'status_id_action']);
});
