import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { activityUri } from '../../common/index.js';
import { ENV, type Env, Subscribes } from '../../platform/index.js';
import { QuoteRevoked } from '../../statuses/index.js';
import type { QuoteRequest } from '../render/quote.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxService } from './outbox.service.js';

const orderingKeyOf = (authorId: string, quoterId: string) => `quote:${authorId}:${quoterId}`;

/** Sends the consent of local authors to quotes, and that they take it back (FEP-044f). */
@Injectable()
export class QuoteActivitiesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
  ) {}

  /** Answers a request: with the id of the consent, or null for a refusal. Joins the open unit of work. */
  async sendAnswer(request: QuoteRequest, authorId: string, quoterId: string, approval: string | null): Promise<void> {
    const actor = await this.sources.accountUri(authorId);
    if (actor === undefined) return;
    const activity = this.outbox.activities.answerQuote(this.newUri(), actor, request, approval);
    const options = { accountId: authorId, orderingKey: orderingKeyOf(authorId, quoterId) };
    await this.outbox.send(activity, options, { accountIds: [quoterId], shared: false });
  }

  /** Tells the server of the quoting post, and those that read the quoted author, that a consent is taken back. */
  @Subscribes(QuoteRevoked, { job: 'federation.revoke-quote', queue: 'federate' })
  async sendRevoked({ authorId, quoterId, approvalUri }: QuoteRevoked): Promise<void> {
    const actor = await this.sources.accountUri(authorId);
    if (actor === undefined) return;
    const activity = this.outbox.activities.deleteQuoteApproval(approvalUri, actor);
    const options = { accountId: authorId, orderingKey: orderingKeyOf(authorId, quoterId) };
    await this.outbox.send(activity, options, { followersOf: [authorId], accountIds: [quoterId], shared: true });
  }

  private newUri(): string {
    return activityUri(this.env.baseUrl, randomUUID());
  }
}
