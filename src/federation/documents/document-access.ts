import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AccountsService } from '../../accounts/index.js';
import {
  type ApiRequest,
  asReason,
  Forbidden,
  NotFound,
  prefersPage,
  type Reason,
  RemoteUnavailable,
  Unauthorized,
} from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import type { ReadingServer } from './document-readers.repository.js';
import { DocumentsRepository } from './documents.repository.js';
import { PoliciesService } from '../policies/policies.service.js';
import { SignatureRefused } from '../signatures/signature-refused.js';
import { SignatureVerifier } from '../signatures/signature-verifier.js';
import { hostOf } from '../wire/uris.js';

/** The kinds of documents: the profile of a local account, or a local post. */
export type DocumentKind = 'actor' | 'note';

/** The facts about a request that decide besides its signature. */
export interface AccessOptions {
  readonly kind?: DocumentKind;
  /** Whether browsers get a page instead, which has rules of its own. */
  readonly hasPage?: boolean;
  /** Whether the document names profiles, of which readers with a signature may get more than others. */
  readonly listsProfiles?: boolean;
}

/** Who signed a request. */
interface Signer {
  /** '' for an account that is not stored here. */
  readonly id: string;
  readonly uri: string;
  readonly inbox: string | null;
}

/** The headers of answers that differ between readers (threat V6). */
export const CLOSED = { vary: 'Accept, Signature', 'cache-control': 'private, no-store' };

/** The key of a reader that cannot be fetched is asked for again after a minute. */
const RETRY_SECONDS = 60;

/**
 * Decides who may fetch which document (threat V18). Unsigned readers have the access of visitors, and none in the mode of
 * authorized fetch. A signature is verified only where it makes a difference.
 */
@Injectable()
export class DocumentAccess {
  constructor(
    private readonly anonymous: AnonymousAccess,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly verifier: SignatureVerifier,
    private readonly policies: PoliciesService,
    private readonly documents: DocumentsRepository,
  ) {}

  /** Whether a document of this kind may be fetched without a signature. */
  isOpen(kind: DocumentKind): boolean {
    return this.permits(kind) && !this.settings.get('activitypub.authorized_fetch_mode');
  }

  /**
   * The id of the reader's account, '' for one that is not stored here; undefined when no signature is needed, and
   * there is none or it makes no difference. Refuses others before the lookup, so that the answer does not reveal what exists.
   * @throws NotFound for browsers without access, Unauthorized for programs without a valid signature, RemoteUnavailable while
   * the key of the signature cannot be fetched, Forbidden for accounts that are suspended here
   */
  async require(
    request: ApiRequest,
    response: Response,
    { kind = 'note', hasPage = false, listsProfiles }: AccessOptions = {},
  ): Promise<string | undefined> {
    const isOpen = this.isOpen(kind);
    if (isOpen && !(listsProfiles && this.anonymous.refusesSomeProfiles())) return undefined;
    response.set(CLOSED);
    if (isOpen) return this.signerOf(request);
    if (prefersPage(request)) {
      if (hasPage && this.permits(kind)) return undefined;
      throw new NotFound('Not found');
    }
    const unsigned = this.permits(kind) ? 'Request not signed' : 'This resource requires a signature';
    return (await this.signer(request, unsigned)).id;
  }

  /**
   * Like {@link require}, for a document of an author: the name of an account here, or the address of its post or
   * activity. Who says to be an account that the author blocks gets nothing (threat F28), also where no signature is
   * needed and so none is verified: a false claim only harms its maker.
   * @throws NotFound for readers whom the author blocks
   */
  async requireOf(
    author: string,
    request: ApiRequest,
    response: Response,
    options: AccessOptions = {},
  ): Promise<string | undefined> {
    const readerId = await this.require(request, response, options);
    const claims = readerId === undefined ? this.claimsOf(request) : [];
    const isNamed = Boolean(readerId) || claims.length > 0;
    if (!isNamed || !(await this.documents.isRefused(author, readerId ?? '', claims))) return readerId;
    response.set(CLOSED);
    throw new NotFound('Not found');
  }

  /** The addresses of the key and of the account that a signature names, which is not verified. */
  claimsOf({ method, originalUrl: url, headers }: ApiRequest): string[] {
    if (headers['signature'] === undefined) return [];
    try {
      const { keyId } = this.verifier.read({ method, url, headers, rawBody: undefined });
      return [keyId, keyId.replace(/#.*$/, '')];
    } catch (error) {
      if (error instanceof SignatureRefused) return [];
      throw error;
    }
  }

  /**
   * The host of the actor that signed.
   * @throws Unauthorized without a valid signature, Forbidden for blocked servers and suspended accounts
   */
  async requireHost(request: ApiRequest, response: Response): Promise<string> {
    response.set(CLOSED);
    return hostOf((await this.signer(request, 'Request not signed')).uri) ?? '';
  }

  /**
   * The id of the account that signed, '' for one that is not stored here; undefined without a valid signature.
   * @throws RemoteUnavailable while the key cannot be fetched: what strangers get would be stored in place of the document
   */
  async signerOf(request: ApiRequest): Promise<string | undefined> {
    return (await this.validSigner(request))?.id;
  }

  /** The server that signed, and where it takes activities; undefined without a valid signature, and for blocked servers. */
  async serverOf(request: ApiRequest): Promise<ReadingServer | undefined> {
    const signer = await this.validSigner(request).catch(ignoreUnavailable);
    return signer && { host: hostOf(signer.uri) ?? '', inbox: signer.inbox };
  }

  private async validSigner(request: ApiRequest): Promise<Signer | undefined> {
    if (request.headers['signature'] === undefined) return undefined;
    try {
      return await this.signer(request, 'Request not signed');
    } catch (error) {
      if (error instanceof Unauthorized || error instanceof Forbidden) return undefined;
      throw error;
    }
  }

  private permits(kind: DocumentKind): boolean {
    return kind === 'actor' ? !this.anonymous.closesProfile(true) : !this.anonymous.closesStatus(true);
  }

  private async signer(request: ApiRequest, unsigned: Reason): Promise<Signer> {
    const { method, originalUrl: url, headers } = request;
    try {
      const { ownerUri, inbox } = await this.verifier.verify({ method, url, headers, rawBody: undefined });
      if (this.policies.isBlocked(ownerUri)) throw new Forbidden();
      const account = await this.accounts.stored(ownerUri);
      if (account && (account.deactivatedAt !== null || this.policies.isAccountBlocked(account))) throw new Forbidden();
      return { id: account?.id ?? '', uri: ownerUri, inbox };
    } catch (error) {
      if (!(error instanceof SignatureRefused)) throw error;
      if (error.reason === 'unreachable') throw new RemoteUnavailable(asReason(error.message), {}, RETRY_SECONDS);
      throw new Unauthorized(error.reason === 'unsigned' ? unsigned : asReason(error.message));
    }
  }
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof RemoteUnavailable)) throw error;
}
