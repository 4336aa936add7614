import { Injectable } from '@nestjs/common';
import { AnonymousAccess } from '../config/index.js';

/** What other servers fetch: the profile of a local account, or a post made here. */
export type DocumentKind = 'actor' | 'note';

/**
 * Decides who may fetch which document (threat V18). HTTP signatures are not verified yet, so every reader counts as
 * unsigned, and may read what visitors of the pages may. Readers with a verified signature are to be admitted here.
 */
@Injectable()
export class DocumentAccess {
  constructor(private readonly anonymous: AnonymousAccess) {}

  permits(kind: DocumentKind): boolean {
    return kind === 'actor' ? !this.anonymous.closesProfile(true) : !this.anonymous.closesPost(true);
  }
}
