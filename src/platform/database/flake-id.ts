import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 18;
const EARLIEST = Date.UTC(2000, 0, 1);
const SEQUENCES = 0x10000;

/** Smaller than every id: the open lower bound of a keyset page. */
export const FIRST_ID = '';
/** Greater than every id: the open upper bound of a keyset page (`~` sorts after the base62 alphabet). */
export const LAST_ID = '~';

/** Whether a text has the form of a Flake id (18 base62 characters). */
export function isFlakeId(text: string): boolean {
  return /^[0-9A-Za-z]{18}$/.test(text);
}

/** The time of a Flake id in milliseconds. */
export function flakeTime(id: string): number {
  let value = 0n;
  for (const character of id) value = value * 62n + BigInt(ALPHABET.indexOf(character));
  return Number(value >> 64n);
}

/** The smallest id of a millisecond: every id made at or after `ms` sorts at or above it. */
export function firstFlakeAt(ms: number): string {
  return encode(BigInt(ms) << 64n);
}

function encode(value: bigint): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text.padStart(LENGTH, '0');
}

/**
 * Generates Flake ids (spec §1.4): 64 bits of milliseconds, 48 random bits for each process start, 16 bits of sequence,
 * as 18 base62 characters whose byte order is the order of creation, in SQL (`collate "C"`), in JavaScript and in the
 * API.
 */
@Injectable()
export class FlakeIds {
  private readonly node = BigInt(`0x${randomBytes(6).toString('hex')}`);
  private lastMs = 0;
  private sequence = 0;
  private pastSequence = randomInt(SEQUENCES);

  /** The next id. Strictly increasing within the process, also when the clock steps back. */
  next(): string {
    const now = Date.now();
    if (now > this.lastMs) {
      this.lastMs = now;
      this.sequence = 0;
    } else if (++this.sequence === SEQUENCES) {
      this.lastMs += 1;
      this.sequence = 0;
    }
    return this.compose(this.lastMs, this.sequence);
  }

  /** An id for a remote object published at `ms`, clamped to 2000-01-01 … now so that it is never in the future. */
  at(ms: number): string {
    this.pastSequence = (this.pastSequence + 1) % SEQUENCES;
    const clamped = Math.min(Math.max(Math.trunc(ms), EARLIEST), Date.now());
    return this.compose(clamped, this.pastSequence);
  }

  /**
   * Makes every later id greater than `id`: called at start with the newest stored id, since the clock may have stepped
   * back.
   */
  continueAfter(id: string): void {
    // the next millisecond: within one, ids of processes follow their random bits
    if (isFlakeId(id)) this.lastMs = Math.max(this.lastMs, flakeTime(id) + 1);
  }

  private compose(ms: number, sequence: number): string {
    return encode((BigInt(ms) << 64n) | (this.node << 16n) | BigInt(sequence));
  }
}
