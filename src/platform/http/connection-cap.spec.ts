import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionCap } from './connection-cap.js';

class FakeSocket extends EventEmitter {
  refusal = '';

  constructor(readonly remoteAddress: string) {
    super();
  }

  end(text: string): void {
    this.refusal = text;
  }
}

function connectFrom(cap: ConnectionCap, address: string): FakeSocket {
  const socket = new FakeSocket(address);
  cap.admit(socket as unknown as Socket);
  return socket;
}

it('H25 limits the open connections of an address', () => {
  const cap = new ConnectionCap(2, []);
  const first = connectFrom(cap, '203.0.113.1');
  connectFrom(cap, '::ffff:203.0.113.1');
  expect(connectFrom(cap, '203.0.113.1').refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(connectFrom(cap, '203.0.113.2').refusal).toBe('');
  first.emit('close');
  expect(connectFrom(cap, '203.0.113.1').refusal).toBe('');
});

it('counts an IPv6 client as its /64 network', () => {
  const cap = new ConnectionCap(1, []);
  connectFrom(cap, '2001:db8::1');
  expect(connectFrom(cap, '2001:db8::2').refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(connectFrom(cap, '2001:db8:0:1::1').refusal).toBe('');
});

it.each(['127.0.0.1', '::1', '10.1.2.3', '198.51.100.7'])(
  'does not limit %s, an address of many clients',
  (address) => {
    const cap = new ConnectionCap(0, ['10.0.0.0/8', '198.51.100.7']);
    expect(connectFrom(cap, address).refusal).toBe('');
  },
);
