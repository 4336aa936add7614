import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Asker, ENV, type Env, OutboundError, type OutboundResponse } from '../../platform/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { type KeyDocumentSource, KeyDocuments } from '../signatures/key-documents.port.js';
import { RequestSigner } from '../signatures/request-signer.js';
import { SigningKeys } from '../signatures/signing-keys.js';
import { ACTIVITY_LD_JSON, sameHost } from '../wire/uris.js';
import { type Document, readDocument, typeOf } from '../wire/values.js';

/** Types of ActivityPub documents: any other JSON may be a file that a user uploaded (threat S5). */
const ACCEPTED = ['application/activity+json', ACTIVITY_LD_JSON];
const TIMEOUT_MS = 10_000;
const GONE: readonly number[] = [404, 410];

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
  ) {}

  onModuleInit(): void {
    this.keyDocuments.use(this);
  }

  /**
   * The document with an id: what its own server serves there. 'gone' when the server says that there is none, undefined
   * when it serves something else, or when the id lies on this server or a blocked one. Not inside a unit of work.
   * @throws OutboundError when another try may succeed
   */
  async fetch(uri: string): Promise<Document | 'gone' | undefined> {
    const fetched = await this.get(uri);
    if (fetched === undefined || fetched === 'gone') return fetched;
    const id = fetched['id'];
    if (id === uri) return fetched;
    if (typeof id !== 'string' || !sameHost(id, uri)) return undefined;
    const named = await this.get(id); // an address that is not the id, such as that of a page
    return typeof named === 'object' && named['id'] === id ? named : undefined;
  }

  /** Whether the server of an object says that it is gone. Not inside a unit of work. */
  async isGone(uri: string): Promise<boolean> {
    const found = await this.fetch(uri);
    return found === 'gone' || typeOf(found) === 'Tombstone';
  }

  private async get(uri: string): Promise<Document | 'gone' | undefined> {
    if (!URL.canParse(uri) || sameHost(uri, this.env.baseUrl) || this.policies.isBlocked(uri)) return undefined;
    const answer = await this.request(uri);
    if (answer === undefined) return undefined;
    if (GONE.includes(answer.status)) return 'gone';
    if (answer.status === 429 || answer.status >= 500) {
      throw new OutboundError('network', `The server answered ${answer.status}`);
    }
    if (answer.status !== 200 || !sameHost(answer.url, uri)) return undefined;
    return readDocument(answer.body.toString('utf8'));
  }

  private async request(uri: string): Promise<OutboundResponse | undefined> {
    const key = await this.keys.ofInstance();
    try {
      return await this.asker.ask({
        url: uri,
        accept: ACCEPTED,
        timeoutMs: TIMEOUT_MS,
        sign: (hop) => this.signer.sign(hop, key, 'cavage'),
      });
    } catch (error) {
      if (error instanceof OutboundError && !error.isPassing) return undefined;
      throw error;
    }
  }
}
