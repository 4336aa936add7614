import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../../accounts/index.js';
import { OutboundError } from '../../../platform/index.js';
import { QuoteConsentService, RemoteStatusesService, type StatusRow } from '../../../statuses/index.js';
import { RemoteStatusFetcher } from '../../fetch/remote-status-fetcher.js';
import { QuoteActivitiesService } from '../../outbox/quote-activities.service.js';
import type { Activity } from '../../wire/activity.js';
import { parseObject } from '../../wire/object.js';
import { instrumentOf, requestedStatus } from '../../wire/quote.js';
import { sameHost } from '../../wire/uris.js';
import { idOf } from '../../wire/values.js';
import { type Effect, effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

/** The consent of authors to quotes of their posts (FEP-044f): QuoteRequest, and the Accept and Reject of ours. */
@Injectable()
export class QuoteHandler implements InboxHandler {
  readonly types = ['QuoteRequest', 'Accept', 'Reject'];

  constructor(
    private readonly stored: RemoteStatusesService,
    private readonly posts: RemoteStatusFetcher,
    private readonly consent: QuoteConsentService,
    private readonly activities: QuoteActivitiesService,
  ) {}

  prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    return activity.type === 'QuoteRequest' ? this.request(activity, actor) : this.answer(activity, actor);
  }

  /** Posts that the actor may not see, and those for this server only, get no answer: it would say that they exist. */
  private async request(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const instrument = instrumentOf(activity);
    if (instrument === undefined || !sameHost(instrument, actor.apId)) return ignored('It is no post of its actor');
    const quoted = await this.stored.findByUri(activity.object.uri);
    const allowed = quoted?.local ? await this.consent.allows(quoted.id, actor.id) : undefined;
    if (!quoted || allowed === undefined) return ignored('It is about no post of this server that it may see');
    const store = allowed ? await this.storing(activity, instrument, actor) : undefined;
    return effect(async () => {
      await store?.();
      await this.decide(activity, { instrument, quoted, actor, allowed });
    });
  }

  /** What stores the quoting post: as it is embedded, else as its server serves it. Posts for few may come later. */
  private async storing({ raw }: Activity, instrument: string, actor: AccountRow): Promise<Effect | undefined> {
    if (await this.stored.findByUri(instrument)) return undefined;
    const sent = parseObject(raw['instrument']);
    if (sent?.id === instrument && sent.attributedTo === actor.apId) return this.posts.prepare(sent, actor);
    if (await this.posts.resolve(instrument)) return undefined;
    throw new OutboundError('network', 'The quoting post is not there yet');
  }

  private async decide(
    { id, actorUri, object }: Activity,
    request: { instrument: string; quoted: StatusRow; actor: AccountRow; allowed: boolean },
  ): Promise<void> {
    const { instrument, quoted, actor, allowed } = request;
    const quoting = await this.consent.find(instrument);
    const isOfActor = quoting?.authorId === actor.id && quoting.quoteUri === quoted.uri;
    if (allowed && !isOfActor) return;
    const isGranted = allowed && quoting?.quoteRefused === false;
    if (isOfActor && !isGranted) await this.consent.refuse(quoting.id);
    const approval = isGranted ? ((await this.consent.approve(quoting.id)) ?? null) : null;
    const answered = { id, actor: actorUri, object: object.uri, instrument };
    await this.activities.sendAnswer(answered, quoted.authorId, actor.id, approval);
  }

  /** Only the quoted author answers; some servers name the request by its id alone. */
  private async answer(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const uri = requestedStatus(activity);
    const quoting = uri === undefined ? undefined : await this.consent.find(uri);
    if (!quoting?.local || quoting.quotedAuthorId !== actor.id) return ignored('It answers no quote of this server');
    if (activity.type === 'Reject') return effect(() => this.consent.refuse(quoting.id));
    const approval = idOf(activity.raw['result']);
    if (approval === undefined || !sameHost(approval, actor.apId)) return ignored('It names no consent of its actor');
    return effect(() => this.consent.approve(quoting.id, approval));
  }
}
