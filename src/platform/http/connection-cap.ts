import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { earlyAnswerBytes } from './early-answer.js';

/** Bounds the connections that one address keeps open; those of this machine and of trusted proxies stand for many clients. */
export class ConnectionCap {
  private readonly open = new Map<string, number>();

  /** @param exempt addresses and CIDR ranges that are not counted */
  constructor(
    private readonly max: number,
    private readonly exempt: readonly string[],
  ) {}

  /** Counts a connection until it closes; one too many is answered with 503 and closed. */
  readonly admit = (socket: Socket): void => {
    const address = this.countedAddress(socket.remoteAddress);
    if (address === undefined) return;
    const count = (this.open.get(address) ?? 0) + 1;
    if (count > this.max) {
      socket.end(earlyAnswerBytes(503, 'Too many connections'), () => socket.destroy());
      return;
    }
    this.open.set(address, count);
    socket.once('close', () => {
      const left = (this.open.get(address) ?? 1) - 1;
      if (left > 0) this.open.set(address, left);
      else this.open.delete(address);
    });
  };

  /** An IPv6 client counts as its /64 network, which is what one customer gets. */
  private countedAddress(text = ''): string | undefined {
    if (!ipaddr.isValid(text)) return undefined;
    const address = ipaddr.process(text);
    if (address.range() === 'loopback' || this.exempt.some((range) => isWithin(address, range))) return undefined;
    return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':', 4).join(':');
  }
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : [ipaddr.process(range), ipaddr.process(range).kind() === 'ipv4' ? 32 : 128];
  return address.kind() === network.kind() && address.match([network, bits]);
}
