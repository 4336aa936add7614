import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** A post before it is stored, of this server or of another. */
export interface PolicyPost {
  readonly visibility: number;
  /** HTML; of another server, not sanitised yet. */
  readonly content: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  /** In lower case, without #. */
  readonly hashtags: readonly string[];
  readonly hasMedia: boolean;
  readonly hasPoll: boolean;
  readonly publishedAt: Date;
  readonly expiresAt: Date | null;
  /** The content warning of the post that it answers, if that is known. */
  readonly parentSpoiler: string | null;
  readonly quoteUri: string | null;
}

/** Decides about posts of local accounts. */
export interface LocalPostPolicies {
  /**
   * The post as it is stored.
   * @throws Unprocessable when a policy refuses it
   */
  filter(authorId: string, post: PolicyPost, addresseeIds: readonly string[]): Promise<PolicyPost>;
}

/** The policies that posts of this server pass. Federation fills the port. */
@Injectable()
export class PostPolicies extends Port<LocalPostPolicies> implements LocalPostPolicies {
  filter(authorId: string, post: PolicyPost, addresseeIds: readonly string[]): Promise<PolicyPost> {
    return this.filler().filter(authorId, post, addresseeIds);
  }
}
