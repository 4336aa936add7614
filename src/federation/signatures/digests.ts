import { hash } from 'node:crypto';
import { SignatureRefused } from './signature-refused.js';
import { headerOf, type SignedRequest } from './signed-request.js';

/** The algorithms of RFC 9530 that are still safe, and their names in the older header `Digest`. */
const ALGORITHMS: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' };

const OLD_MEMBER = /^\s*([\w-]+)=([A-Za-z0-9+/]+={0,2})\s*$/;
const MEMBER = /^\s*([\w-]+)=:([A-Za-z0-9+/]+={0,2}):\s*$/;

/** @throws SignatureRefused unless the header `Digest` (RFC 3230) fits the body */
export function requireDigest(request: SignedRequest): void {
  requireFit(request, 'digest', OLD_MEMBER);
}

/** @throws SignatureRefused unless the header `Content-Digest` (RFC 9530) fits the body */
export function requireContentDigest(request: SignedRequest): void {
  requireFit(request, 'content-digest', MEMBER);
}

/** Every digest of a known algorithm has to fit, and there has to be one. */
function requireFit(request: SignedRequest, header: string, form: RegExp): void {
  const members = (headerOf(request, header) ?? '').split(',').map((member) => form.exec(member));
  let known = 0;
  for (const member of members) {
    const [, name = '', value = ''] = member ?? [];
    const algorithm = ALGORITHMS[name.toLowerCase()];
    if (algorithm === undefined) continue;
    known += 1;
    const digest = hash(algorithm, request.rawBody ?? '', 'buffer');
    if (!digest.equals(Buffer.from(value, 'base64')))
      throw new SignatureRefused('digest', `The header ${header} does not fit the body`);
  }
  if (known === 0) throw new SignatureRefused('digest', `The header ${header} has no SHA-256`);
}
