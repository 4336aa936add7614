import { Logger } from '@nestjs/common';
import { OutboundError } from './outbound-error.js';
import { OutboundFailures } from './outbound-failures.js';

describe('OutboundFailures', () => {
  let lines: unknown[];
  let now: number;
  let failures: OutboundFailures;

  beforeEach(() => {
    lines = [];
    now = 1_000_000;
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => void lines.push(line));
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    failures = new OutboundFailures();
  });
  afterEach(() => void jest.restoreAllMocks());

  it('logs the host and the cause, and nothing else of the URL', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const several = new AggregateError([refused], 'all attempts');
    failures.report(
      'https://far.test:8443/a?token=secret',
      new OutboundError('network', 'The connection failed', several),
    );
    failures.report('https://far.test:8443/b?token=secret', 404);
    failures.report('https://user:secret@far.test/', new OutboundError('bad-url', 'The URL is not one to fetch'));
    failures.report('secret', 'the file is refused');
    expect(lines).toEqual([
      { host: 'far.test:8443', kind: 'network', reason: 'The connection failed', errorCode: 'ECONNREFUSED' },
      { host: 'far.test:8443', status: 404 },
      { host: 'far.test', kind: 'bad-url', reason: 'The URL is not one to fetch', errorCode: undefined },
      { host: '(none)', reason: 'the file is refused' },
    ]);
  });

  it('logs each cause of a host once a minute', () => {
    for (const path of ['a', 'b', 'c']) failures.report(`https://far.test/${path}`, 404);
    failures.report('https://far.test/', 500);
    now += 61_000;
    failures.report('https://far.test/a', 404);
    expect(lines).toEqual([
      { host: 'far.test', status: 404 },
      { host: 'far.test', status: 500 },
      { host: 'far.test', status: 404 },
    ]);
  });

  it('logs a limited number of lines for any number of hosts', () => {
    for (let n = 0; n < 5_000; n += 1) failures.report(`https://host${n}.test/`, 404);
    expect(lines).toHaveLength(60);
    now += 61_000;
    failures.report('https://far.test/', 404);
    expect(lines.slice(60)).toEqual([{ omitted: 4_940 }, { host: 'far.test', status: 404 }]);
  });
});
