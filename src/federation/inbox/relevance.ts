import { Injectable } from '@nestjs/common';
import { AccountsService, FollowsService } from '../../accounts/index.js';
import { RemotePostsService } from '../../statuses/index.js';
import type { RemoteObject } from '../wire/object.js';

export const NOT_CONCERNED = 'It concerns no account of this server';

/** Whom a post addresses, and what it refers to. */
type Claims = Pick<RemoteObject, 'attributedTo' | 'to' | 'cc' | 'mentions' | 'inReplyTo' | 'quoteUri'>;

/** Decides whether a post of another server concerns this one: all others are neither fetched nor stored (threat F27). */
@Injectable()
export class Relevance {
  constructor(
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly stored: RemotePostsService,
  ) {}

  /** Whether an account of this server is addressed, follows the author, or wrote what is answered or quoted. */
  async concernsUs(object: Claims): Promise<boolean> {
    const refers = [object.inReplyTo, object.quoteUri].filter((uri) => uri !== null);
    for (const uri of refers) if ((await this.stored.findByUri(uri)) !== undefined) return true;
    const addressed = [...object.to, ...object.cc, ...object.mentions.map(({ href }) => href)];
    const named = await this.accounts.byUris([object.attributedTo, ...addressed]);
    if (named.some(({ domain }) => domain === null)) return true;
    const author = named.find(({ ap_id: uri }) => uri === object.attributedTo);
    return author !== undefined && this.follows.hasLocalFollowers(author.id);
  }
}
