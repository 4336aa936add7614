import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../../accounts/index.js';
import { RemoteStatusFetcher } from '../../fetch/remote-status-fetcher.js';
import { RelaysService } from '../../relays/relays.service.js';
import { type Activity, announcedStatus } from '../../wire/activity.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

const NOT_OURS = 'It is about no relay of this server';

/** What relays send: answers to our Follow, Follows of the relay actor, and the posts that they announce. */
@Injectable()
export class RelayHandler implements InboxHandler {
  readonly types = ['Follow', 'Undo Follow', 'Accept', 'Reject', 'Announce'];

  constructor(
    private readonly relays: RelaysService,
    private readonly posts: RemoteStatusFetcher,
  ) {}

  async prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const { type, id, object } = activity;
    if (type === 'Announce') return this.announced(announcedStatus(activity) ?? '', actor);
    if (type === 'Accept' || type === 'Reject') return this.answer(activity, actor);
    const followed = type === 'Undo' ? object.activity?.object.uri : object.uri;
    if (followed !== this.relays.actorUri) return ignored(NOT_OURS);
    if (type === 'Follow' && !this.relays.isAllowed()) return ignored('Relays are not allowed here');
    if (type === 'Follow') return effect(() => this.relays.accept(actor, id));
    return effect(() => this.relays.removeFollower(actor.id));
  }

  private async answer({ type, object }: Activity, actor: AccountRow): Promise<Prepared> {
    const { actorUri } = this.relays;
    const isOurs = object.uri.startsWith(`${actorUri}#`) || object.activity?.actorUri === actorUri;
    const relay = isOurs ? await this.relays.answering(object.uri, actor) : undefined;
    if (!relay) return ignored(NOT_OURS);
    return effect(() => this.relays.answered(relay, type === 'Accept' ? 'accepted' : 'rejected', actor));
  }

  /** The post is stored as if it had been looked up: a relay boosts nothing. */
  private async announced(uri: string, actor: AccountRow): Promise<Prepared> {
    if (!(await this.relays.isRelay(actor))) return ignored(NOT_OURS);
    if (uri !== '') await this.posts.resolve(uri);
    return effect(() => Promise.resolve());
  }
}
