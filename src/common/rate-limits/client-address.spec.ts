import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientAddress, clientNetwork } from './client-address.js';

function from(
  peer: string | undefined,
  forwarded?: string,
  trusted: readonly string[] = ['10.0.0.0/8', '::1'],
): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return clientAddress(request, trusted);
}

describe('clientAddress', () => {
  it('is the peer, unless that is a trusted proxy', () => {
    expect(from('203.0.113.5')).toBe('203.0.113.5');
    expect(from('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5');
    expect(from('203.0.113.5', '198.51.100.1', [])).toBe('203.0.113.5');
    expect(from(undefined)).toBe('unknown');
  });

  it('is the last hop that is not a trusted proxy, since earlier hops may be forged', () => {
    expect(from('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '1.2.3.4, 198.51.100.1, 10.9.9.9')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '10.0.0.2, 10.0.0.3')).toBe('10.0.0.2');
  });

  it('ignores hops before an invalid one', () => {
    expect(from('10.0.0.1', 'nonsense')).toBe('10.0.0.1');
    expect(from('10.0.0.1', '1.2.3.4, , 10.0.0.2')).toBe('10.0.0.2');
    expect(from('10.0.0.1', '')).toBe('10.0.0.1');
  });

  it('treats a mapped IPv4 address as IPv4, and an IPv6 client as its network', () => {
    expect(from('::ffff:203.0.113.5')).toBe('203.0.113.5');
    expect(from('::ffff:10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(from('2001:db8:1:2:ffff::1')).toBe('2001:db8:1:2::/64');
    expect(from('::1', '2001:db8::1')).toBe('2001:db8::/64');
  });
});

it.each([
  ['203.0.113.5', '203.0.113.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('counts %s as a part of %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
