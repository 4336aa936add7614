import { hash } from 'node:crypto';
import { SignatureRefused } from './signature-refused.js';
import { headerOf, type SignedRequest } from './signed-request.js';

/** The algorithms of RFC 9530 that are still safe, and their names in the older header `Digest`. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);
/** More digests of one body are refused. */
const MOST_MEMBERS = 8;

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

/** Every digest of a known algorithm has to fit, and there has to be one. Each algorithm reads the body once. */
function requireFit(request: SignedRequest, header: string, form: RegExp): void {
  const members = (headerOf(request, header) ?? '').split(',', MOST_MEMBERS + 1);
  if (members.length > MOST_MEMBERS) throw new SignatureRefused('digest', `The header ${header} has too many digests`);
  const digests = new Map<string, Buffer>();
  for (const member of members) {
    const [, name = '', value = ''] = form.exec(member) ?? [];
    const algorithm = ALGORITHMS.get(name.toLowerCase());
    if (algorithm === undefined) continue;
    const digest = digests.get(algorithm) ?? hash(algorithm, request.rawBody ?? '', 'buffer');
    digests.set(algorithm, digest);
    if (!digest.equals(Buffer.from(value, 'base64')))
      throw new SignatureRefused('digest', `The header ${header} does not fit the body`);
  }
  if (digests.size === 0) throw new SignatureRefused('digest', `The header ${header} has no SHA-256`);
}
