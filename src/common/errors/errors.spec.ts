import {
  Busy,
  Conflict,
  DomainError,
  Forbidden,
  ignoreRefusal,
  Invalid,
  NotFound,
  RemoteFailure,
  RemoteUnavailable,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  Unprocessable,
  Unsupported,
  Upstream,
} from './errors.js';
import { phrase } from '../reasons/reasons.js';

const TEXT = 'Poll has expired';

describe('domain errors', () => {
  it.each([
    [new Invalid(TEXT), 400],
    [new Unauthorized(), 401],
    [new Forbidden(), 403],
    [new NotFound(), 404],
    [new Conflict(TEXT), 409],
    [new TooLarge(), 413],
    [new Unsupported(TEXT), 415],
    [new Unprocessable(TEXT), 422],
    [new TooManyRequests(3), 429],
    [new Upstream(TEXT), 500],
    [new Unavailable(), 503],
    [new Busy(), 503],
  ])('map %s to status %i with its text', (error, status) => {
    expect(error).toBeInstanceOf(DomainError);
    expect(error.name).toBe(error.constructor.name);
    expect([error.status, error.body]).toEqual([status, { error: error.message }]);
  });

  it.each([
    [new NotFound(), true],
    [new Unprocessable(TEXT), true],
    [new Upstream(TEXT), false],
    [new Unavailable(), false],
    [new Error('x'), false],
  ])('let ignoreRefusal ignore %s: %j', async (error, isIgnored) => {
    const ignored = Promise.reject(error).catch(ignoreRefusal);
    await (isIgnored ? expect(ignored).resolves.toBeUndefined() : expect(ignored).rejects.toBe(error));
  });

  it('are faults of this server, unless callers can cause them', () => {
    const faults = [new Upstream(TEXT), new Unavailable()];
    const expected = [new RemoteFailure(TEXT), new RemoteUnavailable(), new Busy()];
    expect([...faults, ...expected].map(({ isExpected }) => isExpected)).toEqual([false, false, true, true, true]);
  });

  it('can have more fields, and a cause that is not shown', () => {
    const cause = new Error('secret');
    const error = new Forbidden('Your account is currently disabled', {
      details: { identifier: 'account_is_disabled' },
      cause,
    });
    expect(error.body).toEqual({ error: 'Your account is currently disabled', identifier: 'account_is_disabled' });
    expect(error.cause).toBe(cause);
  });

  it('has the bodies that the specification fixes', () => {
    expect(Invalid.plain('Invalid parameters').body).toBe('Invalid parameters');
    expect(Invalid.bulk([{ id: '1', error: phrase('{text} is no day', { text: 'a' }) }, { error: TEXT }]).body).toEqual(
      [{ id: '1', error: 'a is no day' }, { error: 'Poll has expired' }],
    );
    expect(Invalid.fields({ name: 'is missing' }).body).toEqual({ name: 'is missing' });
    expect(Invalid.errors({ actor_type: 'is invalid' }).body).toEqual({ errors: { actor_type: 'is invalid' } });
    expect(Unprocessable.plain(TEXT)).toMatchObject({ status: 422, message: TEXT });
  });

  it('can have a header for the next step', () => {
    expect(new Unauthorized().headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(new TooManyRequests(7).headers).toEqual({ 'Retry-After': '7' });
    expect(new Unavailable(TEXT, {}, 30).headers).toEqual({ 'Retry-After': '30' });
    expect(new Invalid(TEXT).headers).toEqual({});
  });
});
