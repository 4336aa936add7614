import { Injectable } from '@nestjs/common';
import { type AccountRow, isActive } from '../../../accounts/index.js';
import { RemoteStatusesService } from '../../../statuses/index.js';
import { DocumentFetcher } from '../../fetch/document-fetcher.js';
import { RemoteActors } from '../../fetch/remote-actors.js';
import { PoliciesService } from '../../policies/policies.service.js';
import { type Activity, parseActivity } from '../../wire/activity.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';
import { ForwardedStatuses } from '../forwarded-statuses.js';
import { InteractionHandler } from './interaction.handler.js';

const VOTES: readonly string[] = ['Like', 'Dislike'];

/**
 * What groups pass on of what others did to posts (FEP-1b12): their Announces of whole activities, but for new posts. A
 * group proves nothing about others: the server of the post or of the actor has to agree (threat F27).
 */
@Injectable()
export class GroupHandler implements InboxHandler {
  readonly types = ['Announce'];

  constructor(
    private readonly stored: RemoteStatusesService,
    private readonly forwarded: ForwardedStatuses,
    private readonly documents: DocumentFetcher,
    private readonly actors: RemoteActors,
    private readonly policies: PoliciesService,
    private readonly interactions: InteractionHandler,
  ) {}

  async prepare({ object: { activity } }: Activity, group: AccountRow): Promise<Prepared> {
    if (!activity || group.actorType !== 'Group') return ignored('It passes no activity on');
    const { uri } = activity.object;
    if (activity.type === 'Update') return uri === group.apId ? this.refresh(uri) : this.forwarded.update(uri);
    if (activity.type === 'Delete') return this.forwarded.delete(uri);
    const undone = activity.type === 'Undo' ? activity.object.activity : undefined;
    if (undone?.type === 'Delete') return this.forwarded.restore(undone.object.uri);
    return this.vote(activity);
  }

  private async refresh(uri: string): Promise<Prepared> {
    await this.actors.refresh(uri);
    return effect(() => Promise.resolve());
  }

  /** A vote on a post of this server, or its end, as the server of the voter serves it. Others are too many to ask for. */
  private async vote(passed: Activity): Promise<Prepared> {
    const uri = votedStatus(passed);
    const post = uri === undefined || passed.id === '' ? undefined : await this.stored.findByUri(uri);
    if (post?.local !== true) return ignored('It votes on no post of this server');
    const served = await this.documents.fetch(passed.id);
    const vote = served === 'gone' ? undefined : parseActivity(served);
    if (!vote || votedStatus(vote) !== uri) return ignored('The server of the voter does not confirm it');
    const voter = await this.actors.resolve(vote.actorUri);
    if (!voter || voter.domain === null || !isActive(voter)) return ignored('The voter is not active');
    const refusal = await this.policies.refusal(vote, voter);
    return refusal === undefined ? this.interactions.prepare(vote, voter) : ignored(refusal);
  }
}

/** The post of a vote, or of a vote that its own actor takes back. */
function votedStatus({ type, actorUri, object }: Activity): string | undefined {
  if (VOTES.includes(type)) return object.uri;
  const { activity } = object;
  if (type !== 'Undo' || activity?.actorUri !== actorUri || activity.type !== 'Like') return undefined;
  return activity.object.uri;
}
