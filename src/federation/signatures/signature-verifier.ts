import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { readCavage } from './cavage.js';
import { type NoKey, type RemoteKey, RemoteKeys } from './remote-keys.js';
import { readRfc9421 } from './rfc9421.js';
import { SignatureRefused } from './signature-refused.js';
import { headerOf, type SignatureClaim, type SignedRequest } from './signed-request.js';

/** The key that a request was signed with, and the actor whose key it is. */
export interface VerifiedKey {
  readonly keyId: string;
  readonly ownerUri: string;
  /** Where the server of the actor takes activities, if that is known. */
  readonly inbox: string | null;
}

/** With a callback, the thread pool does the work. */
const verifyOnPool = promisify(
  (text: Buffer, key: KeyObject, signature: Buffer, done: (error: Error | null, fits: boolean) => void) => {
    verify('sha256', text, key, signature, done);
  },
);

/** With keys of usual size, the check takes some 20 µs: less than it takes to hand it to the thread pool. */
const USUAL_BITS = 2_048;

const TEXTS: Readonly<Record<NoKey, string>> = {
  gone: 'The key of the signature is gone',
  unreachable: 'The server of the key cannot be reached',
  unknown: 'No actor of its server names the key of the signature',
};

/** Verifies signatures of requests, of both forms (threats F1, F2, F3, F19). */
@Injectable()
export class SignatureVerifier {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly keys: RemoteKeys,
  ) {}

  /** Checks everything but the signature itself, without any request to others. Throws {@link SignatureRefused}. */
  read(request: SignedRequest): SignatureClaim {
    if (headerOf(request, 'signature') === undefined) throw new SignatureRefused('unsigned', 'Request not signed');
    const isNewer = headerOf(request, 'signature-input') !== undefined;
    const { past, future } = this.settings.get('activitypub.signature_window');
    const clock = { nowMs: Date.now(), maxAgeMs: past * 1000, maxAheadMs: future * 1000 };
    return (isNewer ? readRfc9421 : readCavage)(request, { baseUrl: this.env.baseUrl, clock });
  }

  /** Checks the signature. A key that fails is fetched again: its owner may have a new one. Throws {@link SignatureRefused}. */
  async check(claim: SignatureClaim): Promise<VerifiedKey> {
    const key = found(await this.keys.find(claim.keyId));
    if (await fits(claim, key)) return verified(key);
    const newer = await this.keys.refetch(key);
    if (newer === undefined || !(await fits(claim, found(newer))))
      throw new SignatureRefused('signature', 'The signature does not fit the request and the key');
    return verified(found(newer));
  }

  /** Both checks. Throws {@link SignatureRefused}. */
  async verify(request: SignedRequest): Promise<VerifiedKey> {
    return this.check(this.read(request));
  }
}

function found(key: RemoteKey | NoKey): RemoteKey {
  if (typeof key === 'object') return key;
  throw new SignatureRefused(key === 'unknown' ? 'key' : key, TEXTS[key]);
}

function verified({ keyId, ownerUri, inbox }: RemoteKey): VerifiedKey {
  return { keyId, ownerUri, inbox };
}

async function fits({ texts, signature }: SignatureClaim, { key }: RemoteKey): Promise<boolean> {
  const isQuick = (key.asymmetricKeyDetails?.modulusLength ?? Infinity) <= USUAL_BITS;
  for (const text of texts.map((each) => Buffer.from(each))) {
    if (isQuick ? verify('sha256', text, key, signature) : await verifyOnPool(text, key, signature)) return true;
  }
  return false;
}
