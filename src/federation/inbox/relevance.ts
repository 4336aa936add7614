import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, FollowsService } from '../../accounts/index.js';
import { RemoteStatusesService } from '../../statuses/index.js';
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
    private readonly stored: RemoteStatusesService,
  ) {}

  /** Whether an account of this server is addressed or follows the author, or a known post is answered or quoted. */
  async concernsUs(object: Claims, author?: AccountRow): Promise<boolean> {
    const [by] = author ? [author] : await this.accounts.byUris([object.attributedTo]);
    if (by && (await this.follows.hasLocalFollowers(by.id))) return true;
    const refers = [object.inReplyTo, object.quoteUri].filter((uri) => uri !== null);
    for (const uri of refers) if ((await this.stored.findByUri(uri)) !== undefined) return true;
    const named = await this.accounts.byUris([...object.to, ...object.cc, ...object.mentions.map(({ href }) => href)]);
    return named.some(({ domain }) => domain === null);
  }
}
