import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { NotFound, quoteApprovalUri, Unprocessable } from '../../common/index.js';
import { ENV, type Env, Events, UnitOfWork } from '../../platform/index.js';
import { StatusesService } from '../core/statuses.service.js';
import { StatusCounters } from '../counters/status.counters.js';
import { mayQuote, QuotePolicy, type QuotePolicyName } from '../model/quote-policy.js';
import { QuoteChanged, QuoteRevoked } from '../model/statuses.events.js';
import { QuoteConsentRepository, type QuotingRow, type QuoteState } from './quote-consent.repository.js';

/** What the server of a quoting post says of its quote. */
export interface ClaimedQuote extends Omit<QuoteState, 'quoteRefused'> {
  readonly authorId: string;
}

/** Who may quote a post, and the consent of its author to each quote (FEP-044f). */
@Injectable()
export class QuoteConsentService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly counters: StatusCounters,
    private readonly repository: QuoteConsentRepository,
    private readonly statuses: StatusesService,
  ) {}

  /** Whether an account may quote a post; undefined for a post that it may not see. */
  async allows(quotedId: string, accountId: string): Promise<boolean | undefined> {
    const consent = await this.repository.consent(quotedId, accountId);
    return consent?.isVisible ? mayQuote(consent) : undefined;
  }

  /**
   * @throws NotFound for a post that the account may not see, or that was deleted just now
   * @throws Unprocessable unless the account may quote the post
   */
  async require(quotedId: string, accountId: string): Promise<void> {
    const isAllowed = await this.allows(quotedId, accountId);
    if (isAllowed === undefined) throw new NotFound();
    if (!isAllowed) throw new Unprocessable('This post cannot be quoted');
  }

  /** A stored post by its URI, with its quote. */
  find(uri: string): Promise<QuotingRow | undefined> {
    return this.repository.byUri(uri);
  }

  /**
   * Notes the consent of the quoted author, by its id, or by a new one of this server. Returns the id; undefined where
   * nothing is quoted any more. A consent takes back an earlier refusal.
   */
  async approve(quotingId: string, approvalUri?: string): Promise<string | undefined> {
    return this.uow.run(async () => {
      const row = await this.repository.lock(quotingId);
      if (!row || row.quotedId === null) return undefined;
      const quoteApproval = approvalUri ?? row.quoteApproval ?? quoteApprovalUri(this.env.baseUrl, randomUUID());
      const { quotedId: quoteOfId, quoteUri } = row;
      await this.write(row, { quoteOfId, quoteUri, quoteApproval, quoteRefused: false });
      return quoteApproval;
    });
  }

  /** Hides a quote whose author refused it, or took the consent back. */
  async refuse(quotingId: string): Promise<void> {
    await this.uow.run(async () => {
      const row = await this.repository.lock(quotingId);
      if (row) await this.write(row, refused(row.quoteUri));
    });
  }

  /** Takes back a consent at the word of the account that gave it; false where it gave none. */
  async withdraw(approvalUri: string, accountId: string): Promise<boolean> {
    const quotingIds = await this.repository.byApproval(approvalUri, accountId);
    for (const id of quotingIds) await this.refuse(id);
    return quotingIds.length > 0;
  }

  /**
   * Takes back the consent of a local author to a quote.
   * @throws NotFound unless the account wrote the quoted post, and may see the other, which quotes it
   */
  async revoke(quotedId: string, quotingId: string, authorId: string): Promise<void> {
    await this.statuses.visible(quotingId, authorId);
    await this.uow.run(async () => {
      const row = await this.repository.lock(quotingId);
      const isOwn = row?.quotedId === quotedId && row.quotedAuthorId === authorId && row.quotedLocal === true;
      if (!isOwn || row.quoteOfId === null) throw new NotFound();
      await this.write(row, refused(row.quoteUri));
      const { authorId: quoterId, quoteApproval: approvalUri } = row;
      if (approvalUri !== null) this.events.emit(new QuoteRevoked(quotedId, authorId, quoterId, approvalUri));
    });
  }

  /**
   * Notes what an edit by its server says of the quote of a post: a new quote shows, one that lost its consent hides. Of
   * quotes of posts here this server knows better. One that was refused stays so. Returns whether the post quotes another.
   */
  async revise(quotingId: string, { authorId, quoteUri, quoteOfId, quoteApproval }: ClaimedQuote): Promise<boolean> {
    const claimed = { quoteUri, quoteOfId, quoteApproval };
    const row = await this.repository.lock(quotingId);
    if (!row || row.authorId !== authorId) return false;
    const isSame = row.quoteUri === claimed.quoteUri;
    if (isSame && (row.quotedLocal || row.quoteRefused || row.quoteApproval === claimed.quoteApproval)) return false;
    const isRevoked = isSame && claimed.quoteApproval === null;
    const isRefused = row.quoteRefused || isRevoked || (await this.refuses(claimed.quoteOfId, authorId));
    await this.write(row, isRefused ? refused(claimed.quoteUri) : { ...claimed, quoteRefused: false });
    return !isSame;
  }

  /** Whether the author of a quoted post does not let an account quote it. */
  async refuses(quotedId: string | null, accountId: string): Promise<boolean> {
    if (quotedId === null) return false;
    const consent = await this.repository.consent(quotedId, accountId);
    return consent !== undefined && !mayQuote(consent);
  }

  /**
   * Chooses who may quote a post of the author.
   * @throws NotFound unless the account is the author
   */
  async choose(statusId: string, authorId: string, policy: QuotePolicyName): Promise<void> {
    await this.uow.run(async () => {
      const row = await this.repository.lock(statusId);
      if (!row?.local || row.authorId !== authorId) throw new NotFound();
      const visibility = await this.repository.choose(statusId, authorId, QuotePolicy[policy]);
      if (visibility !== undefined) this.events.emit(new QuoteChanged(statusId, authorId, true, visibility, false));
    });
  }

  /** Stores the quote policy that another server states for its post. Needs an open unit of work. */
  async setStatedPolicy(statusId: string, authorId: string, policy: number | null): Promise<void> {
    await this.repository.choose(statusId, authorId, policy);
  }

  /** Writes what a post quotes, counts it, and says so. Needs an open unit of work. */
  private async write(row: QuotingRow, state: QuoteState): Promise<void> {
    const { id, authorId, local, visibility } = row;
    if (isStored(row, state)) return;
    await this.repository.write(id, state);
    this.count(row, row.quoteOfId, -1);
    this.count(row, state.quoteOfId, 1);
    this.events.emit(new QuoteChanged(id, authorId, local, visibility, row.quoteOfId !== state.quoteOfId));
  }

  private count({ visibility, quotedVisibility }: QuotingRow, quoteOfId: string | null, by: 1 | -1) {
    this.counters.addReferences({ visibility, inReplyToId: null, quoteOfId, quotedVisibility }, by);
  }
}

function isStored(row: QuotingRow, { quoteOfId, quoteUri, quoteApproval, quoteRefused }: QuoteState): boolean {
  const isSameQuote = row.quoteOfId === quoteOfId && row.quoteUri === quoteUri;
  return isSameQuote && row.quoteApproval === quoteApproval && row.quoteRefused === quoteRefused;
}

const refused = (quoteUri: string | null): QuoteState => ({
  quoteOfId: null,
  quoteUri,
  quoteApproval: null,
  quoteRefused: true,
});
