import type { Socket } from 'node:net';
import { type AddressRange, isWithin, limitedPart, parseAddress, parseRange } from './address-range.js';
import { earlyAnswerBytes } from './early-answer.js';

/** Limits the open connections of one address; this machine and trusted proxies stand for many clients. */
export class ConnectionCap {
  private readonly open = new Map<string, number>();
  private readonly exempt: readonly AddressRange[];

  /** @param exempt addresses and CIDR ranges that are not counted */
  constructor(
    private readonly max: number,
    exempt: readonly string[],
  ) {
    this.exempt = exempt.map(parseRange);
  }

  /** Counts a connection until it closes; one above the limit is answered with 503 and closed. */
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

  private countedAddress(text = ''): string | undefined {
    const address = parseAddress(text);
    if (!address || address.range() === 'loopback' || isWithin(address, this.exempt)) return undefined;
    return limitedPart(address);
  }
}
