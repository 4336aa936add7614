import { Injectable } from '@nestjs/common';
import { escapeHtml, Unprocessable } from '../../common/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { Port } from '../../platform/index.js';
import type { Parent } from './draft.js';

/** What policies know of the post that a post answers. */
export type PolicyParent = Pick<Parent, 'authorId' | 'spoiler' | 'visibility' | 'local'>;

/** A local or remote post, or chat message, before it is stored. */
export interface PolicyStatus {
  /** Its type in ActivityStreams: `Note`, `Question`, `ChatMessage`... */
  readonly type: string;
  readonly visibility: number;
  /** Sanitised HTML; what a policy changes is sanitised again. */
  readonly content: string;
  readonly spoiler: string;
  /** Poll options, and descriptions of files of other servers. Policies read them and do not change them. */
  readonly furtherTexts: readonly string[];
  readonly sensitive: boolean;
  /** In lower case, without #. */
  readonly hashtags: readonly string[];
  readonly hasMedia: boolean;
  /** Addresses of the pictures of a post of another server. */
  readonly pictures: readonly string[];
  readonly hasPoll: boolean;
  readonly publishedAt: Date;
  readonly expiresAt: Date | null;
  /** The post that it answers, if that is stored. */
  readonly parent: PolicyParent | null;
  /** Custom emoji of a post of another server. */
  readonly emojis: readonly StoredEmoji[];
  readonly quoteUri: string | null;
  /** The author of the post that it quotes, if that is stored. */
  readonly quotedAuthorId: string | null;
  /** Ids of the accounts that it names, in order. */
  readonly mentions: readonly string[];
  /** Addressees who do not follow the author do not get the post. */
  readonly isForFollowersOnly?: boolean;
}

/** A chat message or a track in the form that policies read. */
export function textAsStatus(type: string, visibility: number, text: string): PolicyStatus {
  return {
    type,
    visibility,
    content: escapeHtml(text),
    spoiler: '',
    furtherTexts: [],
    sensitive: false,
    hashtags: [],
    hasMedia: false,
    pictures: [],
    hasPoll: false,
    publishedAt: new Date(),
    expiresAt: null,
    parent: null,
    emojis: [],
    quoteUri: null,
    quotedAuthorId: null,
    mentions: [],
  };
}

export interface LocalStatusPolicies {
  /**
   * Returns the post as it will be stored.
   * @throws Unprocessable when a policy rejects it
   */
  filter(authorId: string, status: PolicyStatus, addresseeIds: readonly string[]): Promise<PolicyStatus>;
  /** Whether nothing of the author of a stored post is accepted any more: then nobody boosts or quotes it. */
  refusesAuthorOf(status: StoredStatus): Promise<boolean>;
}

/** A stored post, of this or another server. */
export interface StoredStatus {
  readonly local: boolean;
  readonly authorId: string;
}

/** Applies the policies to local posts. Federation fills the port. */
@Injectable()
export class StatusPolicies extends Port<LocalStatusPolicies> implements LocalStatusPolicies {
  filter(authorId: string, status: PolicyStatus, addresseeIds: readonly string[]): Promise<PolicyStatus> {
    return this.filler().filter(authorId, status, addresseeIds);
  }

  refusesAuthorOf(status: StoredStatus): Promise<boolean> {
    return this.filler().refusesAuthorOf(status);
  }

  /** @throws Unprocessable for a post that nobody here may boost or quote: see {@link refusesAuthorOf} */
  async requireAuthorAccepted(status: StoredStatus): Promise<void> {
    if (await this.refusesAuthorOf(status))
      throw new Unprocessable('The policies of this server refuse the author of the post');
  }
}
