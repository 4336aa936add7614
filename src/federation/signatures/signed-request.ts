import type { IncomingHttpHeaders } from 'node:http';
import { SignatureRefused } from './signature-refused.js';

/** A request as it arrived. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes of the body; undefined for a request without one. */
  readonly rawBody: Buffer | undefined;
}

/** The facts about its own server that a verifier needs. */
export interface VerifierContext {
  /** `https://host`, as other servers know it. A proxy may change the header `Host`. */
  readonly baseUrl: string;
  readonly clock: Clock;
}

export interface Clock {
  readonly nowMs: number;
  readonly maxAgeMs: number;
  readonly maxAheadMs: number;
}

/** A signature of the right form: whether `signature` is one of any of the texts remains to be seen. */
export interface SignatureClaim {
  readonly keyId: string;
  readonly signature: Buffer;
  readonly texts: readonly string[];
  /** The names of the headers and other parts that it covers. */
  readonly covered: readonly string[];
}

/** A header's value; undefined when it is absent. */
export function headerOf({ headers }: SignedRequest, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.join(', ') : value;
}

/** @throws SignatureRefused for a moment outside the window that clocks may differ by (threat F2) */
export function requireRecent(ms: number, { nowMs, maxAgeMs, maxAheadMs }: Clock): void {
  const ageMs = nowMs - ms;
  if (ageMs <= maxAgeMs && ageMs >= -maxAheadMs) return;
  const minutes = Math.round(Math.abs(ageMs) / 60_000);
  const side = ageMs > 0 ? 'behind' : 'ahead of';
  throw new SignatureRefused(
    'clock',
    `The request was signed ${minutes} minutes ${side} the clock of this server. Check the clock of yours`,
  );
}

/** The bytes of a signature in base64. */
export function signatureBytes(base64: string | undefined): Buffer {
  if (base64 === undefined || !/^[A-Za-z0-9+/]{1,2732}={0,2}$/.test(base64))
    throw new SignatureRefused('malformed', 'The signature is not base64');
  return Buffer.from(base64, 'base64');
}
