import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionCap, type ConnectionState } from './connection-cap.js';

class FakeSocket extends EventEmitter {
  refusal = '';
  state: ConnectionState | undefined;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.emit('close');
  }

  end(text: string): void {
    this.refusal = text;
  }
}

function capOf(limits: { max?: number; maxOfAddress?: number; exempt?: readonly string[] }): ConnectionCap {
  const stateOf = (socket: unknown) => (socket as FakeSocket).state;
  return new ConnectionCap({ max: 1_000, maxOfAddress: 1_000, exempt: [], ...limits, stateOf });
}

function connectFrom(cap: ConnectionCap, address: string): FakeSocket {
  const socket = new FakeSocket(address);
  cap.admit(socket as unknown as Socket);
  return socket;
}

it('H25 limits the open connections of an address', () => {
  const cap = capOf({ maxOfAddress: 2 });
  const first = connectFrom(cap, '203.0.113.1');
  connectFrom(cap, '::ffff:203.0.113.1');
  expect(connectFrom(cap, '203.0.113.1').refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(connectFrom(cap, '203.0.113.2').refusal).toBe('');
  first.emit('close');
  expect(connectFrom(cap, '203.0.113.1').refusal).toBe('');
});

it('counts an IPv6 client as its /64 network', () => {
  const cap = capOf({ maxOfAddress: 1 });
  connectFrom(cap, '2001:db8::1');
  expect(connectFrom(cap, '2001:db8::2').refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(connectFrom(cap, '2001:db8:0:1::1').refusal).toBe('');
});

it.each(['127.0.0.1', '::1', '10.1.2.3', '198.51.100.7'])(
  'does not limit %s, an address of many clients',
  (address) => {
    const cap = capOf({ maxOfAddress: 0, exempt: ['10.0.0.0/8', '198.51.100.7'] });
    expect(connectFrom(cap, address).refusal).toBe('');
  },
);

describe('H25 when every place is taken', () => {
  const idle = (since: number): ConnectionState => ({ activity: 'idle', since });
  const transferring = (since: number): ConnectionState => ({ activity: 'transferring', since });
  const working = (since: number): ConnectionState => ({ activity: 'working', since });

  it.each([
    ['the longest idle one', [idle(3), idle(1), idle(2), transferring(0), working(0)], 1],
    ['one without a request yet', [transferring(0), working(0), undefined, transferring(1), transferring(2)], 2],
    [
      'the transfer that has lasted longest',
      [working(0), transferring(2), transferring(1), working(1), transferring(3)],
      2,
    ],
  ])('a new connection gets the place of %s', (_which, states, closed) => {
    const cap = capOf({ max: states.length });
    const gone: number[] = [];
    states.forEach((state, at) => {
      const socket = connectFrom(cap, '127.0.0.1');
      socket.state = state;
      socket.once('close', () => gone.push(at));
    });
    expect(connectFrom(cap, '127.0.0.1').refusal).toBe('');
    expect(gone).toEqual([closed]);
  });

  it('a new connection is refused while all others have running requests', () => {
    const cap = capOf({ max: 2 });
    for (const since of [1, 2]) connectFrom(cap, '127.0.0.1').state = working(since);
    expect(connectFrom(cap, '127.0.0.1').refusal).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: /);
  });

  it('live streams stay, and take at most four fifths', () => {
    const cap = capOf({ max: 5 });
    const streams = Array.from({ length: 4 }, () => connectFrom(cap, '127.0.0.1'));
    const closed: FakeSocket[] = [];
    for (const socket of streams) socket.once('close', () => closed.push(socket));
    const releases = streams.map((socket) => cap.claimStream(socket as unknown as Socket));
    expect(releases).not.toContain(undefined);
    const fifth = connectFrom(cap, '127.0.0.1');
    expect(cap.claimStream(fifth as unknown as Socket)).toBeUndefined();
    for (let turn = 0; turn < 10; turn += 1) expect(connectFrom(cap, '127.0.0.1').refusal).toBe('');
    expect(closed).toEqual([]);
    releases[0]?.();
    expect(cap.claimStream(connectFrom(cap, '127.0.0.1') as unknown as Socket)).toBeDefined();
  });
});
