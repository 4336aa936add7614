import { OutboundError } from '../../platform/index.js';
import { outcomeOf, outcomeOfError, retrySeconds } from './delivery-outcome.js';

const answer = (status: number, headers: Record<string, string> = {}) => outcomeOf({ status, headers });
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();

describe('the outcome of a delivery', () => {
  it.each([
    [200, 'done'],
    [202, 'done'],
    [301, 'refused'],
    [400, 'refused'],
    [401, 'retry'],
    [403, 'refused'],
    [404, 'refused'],
    [408, 'retry'],
    [410, 'gone'],
    [422, 'refused'],
    [429, 'busy'],
    [500, 'retry'],
    [502, 'unreachable'],
    [503, 'unreachable'],
    [521, 'unreachable'],
  ])('for status %s is %s', (status, kind) => {
    expect(answer(status).kind).toBe(kind);
  });

  it.each([
    ['120', 120],
    ['1', 60],
    ['999999999', 43_200],
    ['soon', 60],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 60],
  ])('delays the next try after Retry-After %s by %s seconds', (header, afterSeconds) => {
    expect(answer(429, { 'retry-after': header })).toMatchObject({ kind: 'busy', afterSeconds });
    expect(answer(503, { 'retry-after': header })).toMatchObject({ kind: 'busy', afterSeconds });
  });

  it('reads a date in Retry-After', () => {
    const { afterSeconds } = answer(429, { 'retry-after': inAnHour() }) as { afterSeconds: number };
    expect(Math.abs(afterSeconds - 3_600)).toBeLessThan(10);
  });

  it.each([
    ['timeout', 'unreachable'],
    ['network', 'unreachable'],
    ['refused-address', 'refused'],
    ['bad-url', 'refused'],
  ] as const)('of a request that failed (%s) is %s', (kind, expected) => {
    expect(outcomeOfError(new OutboundError(kind, 'x')).kind).toBe(expected);
  });

  it('delays retries by a minute to 12 hours', () => {
    const waits = Array.from({ length: 14 }, (_, attempts) => retrySeconds(attempts, () => 0));
    expect(waits.slice(0, 3)).toEqual([60, 120, 240]);
    expect(waits.at(-1)).toBe(43_200);
    expect(retrySeconds(0, () => 0.999)).toBeLessThanOrEqual(75);
  });
});
