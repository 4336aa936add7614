import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbound } from '../../platform/index.js';
import { ACTIVITY_LD_JSON } from '../wire/uris.js';
import { type Document, documentOf } from '../wire/values.js';
import { KeyDocuments, type KeyDocumentSource } from './key-documents.js';
import { RequestSigner } from './request-signer.js';
import { SigningKeys } from './signing-keys.js';

const ACCEPT = ['application/activity+json', ACTIVITY_LD_JSON];
const GONE = [404, 410];

/** Fetches documents of keys until the fetcher of all documents fills the port. */
@Injectable()
export class InterimKeyDocuments implements KeyDocumentSource, OnModuleInit {
  constructor(
    private readonly port: KeyDocuments,
    private readonly outbound: Outbound,
    private readonly signer: RequestSigner,
    private readonly keys: SigningKeys,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
  }

  async fetch(uri: string): Promise<Document | 'gone' | undefined> {
    const key = await this.keys.ofInstance();
    const sign = (hop: Parameters<RequestSigner['sign']>[0]) => this.signer.sign(hop, key, 'cavage');
    const { status, body } = await this.outbound.fetch({ url: uri, accept: ACCEPT, sign });
    if (GONE.includes(status)) return 'gone';
    if (status !== 200) return undefined;
    try {
      return documentOf(JSON.parse(body.toString()));
    } catch {
      return undefined;
    }
  }
}
