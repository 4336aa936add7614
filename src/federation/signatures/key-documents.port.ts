import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { Document } from '../wire/values.js';

/** Fetches documents of other servers, signed by the instance actor. */
export interface KeyDocumentSource {
  /**
   * The document of an address, whose id lies on the same host; undefined for what is none, `gone` after 404 or 410.
   * Throws OutboundError when the server cannot be reached.
   */
  fetch(uri: string): Promise<Document | 'gone' | undefined>;
}

/**
 * The documents that contain keys. The fetcher signs its requests and therefore imports `signatures`, which asks it through
 * this port (docs/adr/0016).
 */
@Injectable()
export class KeyDocuments extends Port<KeyDocumentSource> implements KeyDocumentSource {
  fetch(uri: string): Promise<Document | 'gone' | undefined> {
    return this.filler().fetch(uri);
  }
}
