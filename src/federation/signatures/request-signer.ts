import { createHash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isPassingStatus, type OutboundHeaders, type OutboundHop } from '../../platform/index.js';
import type { SigningKey } from './signing-keys.js';

/** The forms of HTTP signatures: draft-cavage-http-signatures-12, and RFC 9421. */
export type SignatureScheme = 'cavage' | 'rfc9421';

/** Mastodon and others answer so as long as they cannot fetch the key of a signature. */
export const UNAUTHORIZED = 401;

/** Whether an answer to a signed request says that the same request may succeed later. */
export function isPassingAnswer(status: number): boolean {
  return status === UNAUTHORIZED || isPassingStatus(status);
}

/** With a callback, the thread pool computes the signature: about 1 ms that the event loop does not lose. */
const signOnPool = promisify(sign);

/** Signs requests to other servers with RSA-SHA256 (PKCS #1 v1.5), the one algorithm that all of them verify. */
@Injectable()
export class RequestSigner {
  /** The headers to add to a request: a signature as of now, and what it covers, with `more` headers. */
  sign(
    hop: OutboundHop,
    key: SigningKey,
    scheme: SignatureScheme,
    more: OutboundHeaders = {},
  ): Promise<OutboundHeaders> {
    return scheme === 'cavage' ? signByCavage(hop, key, more) : signByRfc9421(hop, key, more);
  }
}

async function signByCavage(
  { method, url, body }: OutboundHop,
  key: SigningKey,
  more: OutboundHeaders,
): Promise<OutboundHeaders> {
  const headers = { date: new Date().toUTCString(), ...(body && { digest: `SHA-256=${sha256(body)}` }), ...more };
  const target = `${method.toLowerCase()} ${url.pathname}${url.search}`;
  const covered = { '(request-target)': target, host: url.host, ...headers };
  const text = Object.entries(covered).map(([name, value]) => `${name}: ${value}`);
  const parameters = {
    keyId: key.keyId,
    algorithm: 'rsa-sha256',
    headers: Object.keys(covered).join(' '),
    signature: await signature(text, key),
  };
  const fields = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return { ...headers, signature: fields.join(',') };
}

async function signByRfc9421(
  { method, url, body }: OutboundHop,
  key: SigningKey,
  more: OutboundHeaders,
): Promise<OutboundHeaders> {
  const digest = body && `sha-256=:${sha256(body)}:`;
  const headers = { ...(digest !== undefined && { 'content-digest': digest }), ...more };
  const covered = { '@method': method, '@target-uri': url.origin + url.pathname + url.search, ...headers };
  const names = Object.keys(covered).map((name) => `"${name}"`);
  const created = Math.floor(Date.now() / 1000);
  const parameters = `(${names.join(' ')});created=${created};keyid="${key.keyId}";alg="rsa-v1_5-sha256"`;
  const lines = Object.entries(covered).map(([name, value]) => `"${name}": ${value}`);
  const signed = await signature([...lines, `"@signature-params": ${parameters}`], key);
  return { ...headers, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signed}:` };
}

async function signature(lines: readonly string[], { privateKey }: SigningKey): Promise<string> {
  return (await signOnPool('sha256', Buffer.from(lines.join('\n')), privateKey)).toString('base64');
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64');
}
