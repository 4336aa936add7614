import { Injectable } from '@nestjs/common';
import { AnonymousAccess } from '../../config/index.js';

/** The kinds of documents: the profile of a local account, or a local post. */
export type DocumentKind = 'actor' | 'note';

/**
 * Decides who may fetch which document (threat V18). HTTP signatures are not verified yet: every reader counts as
 * unsigned, and has the access of an anonymous visitor. Readers with a verified signature are to be admitted here.
 */
@Injectable()
export class DocumentAccess {
  constructor(private readonly anonymous: AnonymousAccess) {}

  permits(kind: DocumentKind): boolean {
    return kind === 'actor' ? !this.anonymous.closesProfile(true) : !this.anonymous.closesPost(true);
  }
}
