import type { IncomingMessage } from 'node:http';
import { mayReadMetrics } from './metrics-access.js';

const request = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const here = { host: 'localhost:4000' };

describe('the metrics', () => {
  it.each([
    ['127.0.0.1', 'localhost:4000'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]:4000'],
    ['::ffff:127.0.0.1', 'LOCALHOST'],
  ])('are open to local requests (%s, Host %s)', (address, host) => {
    expect(mayReadMetrics(request(address, { host }), '')).toBe(true);
  });

  it.each<[string, string, Record<string, string>]>([
    ['from another machine', '10.0.0.7', here],
    ['from an address that is none', '', here],
    ['through a proxy on this machine', '127.0.0.1', { ...here, 'x-forwarded-for': '203.0.113.9' }],
    ['through a proxy that tells the protocol only', '127.0.0.1', { ...here, 'x-forwarded-proto': 'https' }],
    ['through a proxy that tells the client only', '127.0.0.1', { ...here, 'cf-connecting-ip': '203.0.113.9' }],
    ['through a proxy that names itself', '127.0.0.1', { ...here, via: '1.1 proxy' }],
    ['under the public name', '127.0.0.1', { host: 'social.example' }],
    ['under a name that only begins like ours', '127.0.0.1', { host: 'localhost.attacker.example' }],
    ['without a name', '127.0.0.1', {}],
  ])('are closed %s', (_case, address, headers) => {
    expect(mayReadMetrics(request(address, headers), '')).toBe(false);
    expect(mayReadMetrics(request(address, { ...headers, authorization: 'Bearer wrong' }), 'right')).toBe(false);
  });

  it('are open to the token from anywhere', () => {
    expect(mayReadMetrics(request('203.0.113.9', { authorization: 'Bearer right' }), 'right')).toBe(true);
  });

  it('are closed to an empty token', () => {
    expect(mayReadMetrics(request('203.0.113.9', { authorization: 'Bearer ' }), '')).toBe(false);
    expect(mayReadMetrics(request('203.0.113.9', {}), '')).toBe(false);
  });
});
