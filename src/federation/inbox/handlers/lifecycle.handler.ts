import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, MovesService } from '../../../accounts/index.js';
import { Events, FlakeIds } from '../../../platform/index.js';
import { RemotePostsService } from '../../../statuses/index.js';
import { RemoteActors } from '../../fetch/remote-actors.js';
import type { Activity } from '../../wire/activity.js';
import { plainTextOf } from '../../wire/values.js';
import { ReportReceived } from '../inbox.events.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

/** Objects of one report that are looked at. */
const MAX_REPORTED = 100;
const MAX_REASON = 10_000;

/** Move and Flag. */
@Injectable()
export class LifecycleHandler implements InboxHandler {
  readonly types = ['Move', 'Flag'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly moves: MovesService,
    private readonly stored: RemotePostsService,
    private readonly actors: RemoteActors,
    private readonly events: Events,
    private readonly ids: FlakeIds,
  ) {}

  prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    return activity.type === 'Move' ? this.move(activity, actor) : this.flag(activity, actor);
  }

  /** Both profiles are fetched anew: the target must name the actor among its aliases. */
  private async move({ object, targetUri }: Activity, actor: AccountRow): Promise<Prepared> {
    if (object.uri !== actor.ap_id || targetUri === null) return ignored('It moves another account');
    const target = await this.actors.resolve(targetUri, { fresh: true });
    if (!target) return ignored('The new account cannot be fetched');
    return effect(() => this.moves.move(actor.id, target.id));
  }

  /** The reported account is the first of this server, or else the author of the first post. */
  private async flag({ objects, content, raw }: Activity, actor: AccountRow): Promise<Prepared> {
    const uris = objects.slice(0, MAX_REPORTED);
    const named = await this.accounts.byUris(uris);
    const posts = (await Promise.all(uris.map((uri) => this.stored.findByUri(uri)))).filter((post) => post?.local);
    const reportedId = named.find(({ domain }) => domain === null)?.id ?? posts[0]?.author_id;
    if (reportedId === undefined) return ignored('It reports no account of this server');
    const statusIds = posts.filter((post) => post?.author_id === reportedId).map((post) => post?.id ?? '');
    const reason = content ?? plainTextOf(raw['summary'], MAX_REASON); // the latter of Lemmy
    return effect(() => {
      this.events.emit(new ReportReceived(this.ids.next(), actor.id, reportedId, statusIds, reason));
      return Promise.resolve();
    });
  }
}
