import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  Asker,
  ENV,
  type Env,
  isPassingStatus,
  knownUrl,
  OutboundError,
  type OutboundHeaders,
  type OutboundResponse,
  parseUrl,
} from '../../platform/index.js';
import { PUBLIC_OR_UNLISTED, type StatusRow } from '../../statuses/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { type KeyDocumentSource, KeyDocuments } from '../signatures/key-documents.port.js';
import { isPassingAnswer, RequestSigner, UNAUTHORIZED } from '../signatures/request-signer.js';
import { SigningKeys } from '../signatures/signing-keys.js';
import { sameHost } from '../wire/uris.js';
import { type Document, documentOf, idOf, readDocument, typeOf } from '../wire/values.js';
import { alternateOf, DOCUMENT_TYPES, isDocument, PAGE_TYPES } from './alternates.js';
import { ReachableHosts } from './reachable-hosts.port.js';

/** Activities that stand for the post that they are about. */
const ABOUT_POSTS: readonly unknown[] = ['Create', 'Update', 'Announce'];
const TIMEOUT_MS = 10_000;
const [MISSING, DELETED] = [404, 410];
const CLOSED: readonly number[] = [401, 403];
/** A copy that a cache may keep for longer counts as one of this age. */
const OLDEST_COPY_SECONDS = 24 * 3_600;

/** A document, and a moment after which its server made it: caches on the way may answer with a copy. */
export interface DatedDocument {
  readonly document: Document;
  readonly asOf: Date;
}

/**
 * Fetches documents of other servers, signed by the instance actor: servers with authorized fetch demand it.
 * Fills the port {@link KeyDocuments}.
 */
@Injectable()
export class DocumentFetcher implements KeyDocumentSource, OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly asker: Asker,
    private readonly signer: RequestSigner,
    private readonly keys: SigningKeys,
    private readonly keyDocuments: KeyDocuments,
    private readonly policies: PoliciesService,
    private readonly reachable: ReachableHosts,
  ) {}

  onModuleInit(): void {
    this.keyDocuments.use(this);
  }

  /**
   * The document with an id: what its own server serves there. 'gone' when the server says that there is none, undefined
   * when it serves something else, when the id lies on this server or a blocked one, or while this one does not federate. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async fetch(uri: string): Promise<Document | 'gone' | undefined> {
    const fetched = await this.fetchDated(uri);
    return typeof fetched === 'object' ? fetched.document : fetched;
  }

  /**
   * Whether the server of a stored post says that it is gone. A 404 says that only of a post that everybody may see: it
   * is also the answer to strangers about all others. Not inside a unit of work.
   */
  async isGone({ uri, visibility }: Pick<StatusRow, 'uri' | 'visibility'>): Promise<boolean> {
    const state = await this.deletionState(uri);
    return state === 'deleted' || (state === 'missing' && PUBLIC_OR_UNLISTED.includes(visibility));
  }

  /**
   * What the server of an object says instead of serving it: that it was deleted, by 410 or a Tombstone; or by 404 only
   * that it shows none, maybe for a while. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async deletionState(uri: string): Promise<'deleted' | 'missing' | undefined> {
    const answer = await this.answer(uri, DOCUMENT_TYPES);
    if (!answer || !sameHost(answer.url, uri)) return undefined;
    if (answer.status === MISSING) return 'missing';
    return answer.status === DELETED || typeOf(shownIn(answer, uri)) === 'Tombstone' ? 'deleted' : undefined;
  }

  /** Like {@link fetch}, with the age of the document. */
  async fetchDated(uri: string): Promise<DatedDocument | 'gone' | undefined> {
    const fetched = await this.readDated(uri);
    if (fetched === undefined || fetched === 'gone') return fetched;
    const { id } = fetched.document;
    if (id === uri) return fetched;
    if (typeof id !== 'string' || !sameHost(id, uri)) return undefined;
    const named = await this.readDated(id); // an address that is not the id, such as that of a page
    return typeof named === 'object' && named.document['id'] === id ? named : undefined;
  }

  /**
   * The document behind an address that a person has: of the thing itself, of its page, of an activity about it, or where
   * one of these was before. Whatever leads to it, its own server serves it under its id. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async find(address: string): Promise<DatedDocument | 'gone' | undefined> {
    const begunAt = Date.now();
    const answer = await this.ask(address, [...DOCUMENT_TYPES, ...PAGE_TYPES]);
    if (answer === undefined || answer === 'gone') return answer;
    const lead = await leadOf(answer, address);
    const found = typeof lead === 'string' ? await this.fetchDated(lead) : lead && dated(lead, answer, begunAt);
    const post = typeof found === 'object' ? postOf(found.document) : undefined;
    return post === undefined ? found : this.fetchDated(post);
  }

  /**
   * The document that a server serves at an address under any id, such as a page of a collection. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async read(uri: string): Promise<Document | 'gone' | undefined> {
    const fetched = await this.readDated(uri);
    return typeof fetched === 'object' ? fetched.document : fetched;
  }

  /** Like {@link read}; 'closed' when the server refuses to show it. */
  async readOrClosed(uri: string): Promise<Document | 'gone' | 'closed' | undefined> {
    const answer = await this.ask(uri, DOCUMENT_TYPES, CLOSED);
    if (answer === undefined || answer === 'gone') return answer;
    if (CLOSED.includes(answer.status)) return sameHost(answer.url, uri) ? 'closed' : undefined;
    return shownIn(answer, uri);
  }

  private async readDated(uri: string): Promise<DatedDocument | 'gone' | undefined> {
    const begunAt = Date.now();
    const answer = await this.ask(uri, DOCUMENT_TYPES);
    if (answer === undefined || answer === 'gone') return answer;
    const document = shownIn(answer, uri);
    return document && dated(document, answer, begunAt);
  }

  private async ask(
    uri: string,
    accept: readonly string[],
    expected?: readonly number[],
  ): Promise<OutboundResponse | 'gone' | undefined> {
    const answer = await this.answer(uri, accept, expected);
    return answer?.status === MISSING || answer?.status === DELETED ? 'gone' : answer;
  }

  /** @param expected the statuses that say something themselves */
  private async answer(
    uri: string,
    accept: readonly string[],
    expected: readonly number[] = [],
  ): Promise<OutboundResponse | undefined> {
    if (parseUrl(uri) === null || sameHost(uri, this.env.baseUrl) || this.policies.isClosedTo(uri)) return undefined;
    const answer = await this.request(uri, accept);
    if (answer === undefined) return undefined;
    const { status, url } = answer;
    const isPassing = sameHost(url, uri) ? isPassingAnswer : isPassingStatus; // a request that was led elsewhere is not signed
    if (isPassing(status) && !expected.includes(status))
      throw new OutboundError(status === UNAUTHORIZED ? 'unauthorized' : 'network', `The server answered ${status}`);
    if (status === 200) await this.reachable.markReachable(knownUrl(url).host);
    return answer;
  }

  private async request(uri: string, accept: readonly string[]): Promise<OutboundResponse | undefined> {
    const key = await this.keys.ofInstance();
    try {
      return await this.asker.ask({
        url: uri,
        accept,
        timeoutMs: TIMEOUT_MS,
        sign: (hop) => this.signer.sign(hop, key, 'cavage'),
      });
    } catch (error) {
      if (error instanceof OutboundError && !error.isPassing) return undefined;
      throw error;
    }
  }
}

function dated(document: Document, answer: OutboundResponse, begunAt: number): DatedDocument {
  return { document, asOf: new Date(begunAt - copySeconds(answer.headers) * 1000) };
}

/** The document that the server of an address shows there. */
function shownIn(answer: OutboundResponse, uri: string): Document | undefined {
  return answer.status === 200 && sameHost(answer.url, uri) ? documentIn(answer) : undefined;
}

const documentIn = ({ body }: OutboundResponse): Document | undefined => readDocument(body.toString('utf8'));

/** The document at an address, if it is the one with this id; else the address that leads on to it. */
async function leadOf(answer: OutboundResponse, address: string): Promise<Document | string | undefined> {
  const isAtHome = sameHost(answer.url, address);
  if (answer.status !== 200) return isAtHome ? undefined : answer.url; // not signed for the server it was led to
  if (!isDocument(answer.headers['content-type'])) return alternateOf(answer);
  const document = documentIn(answer);
  return isAtHome && document?.['id'] === address ? document : (postOf(document) ?? idOf(document));
}

/** The address of the post that an activity is about. */
function postOf(found: unknown): string | undefined {
  return ABOUT_POSTS.includes(typeOf(found)) ? idOf(documentOf(found)?.['object']) : undefined;
}

/** How old a copy the answer may be: some servers answer with one themselves, for as long as they let others keep it. */
function copySeconds({ 'cache-control': control = '', age = '0' }: OutboundHeaders): number {
  const lives = [...control.matchAll(/\b(?:s-maxage|max-age)=(\d{1,9})/gi)].map(([, seconds]) => Number(seconds));
  return Math.min(Math.max(0, Number.parseInt(age, 10) || 0, ...lives), OLDEST_COPY_SECONDS);
}
