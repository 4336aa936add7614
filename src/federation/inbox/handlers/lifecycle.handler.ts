import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService } from '../../../accounts/index.js';
import { unique } from '../../../common/index.js';
import { Events, FlakeIds } from '../../../platform/index.js';
import { RemoteStatusesService } from '../../../statuses/index.js';
import { RemoteMoves } from '../../fetch/remote-moves.js';
import type { Activity } from '../../wire/activity.js';
import { plainWordsOf } from '../../wire/words.js';
import { ReportReceived } from '../inbox.events.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

/** Objects of one report that are looked at. */
const MAX_REPORTED = 100;
/** Accounts that one Flag reports. */
const MAX_REPORTS = 10;
const MAX_REASON = 10_000;

/** Move and Flag. */
@Injectable()
export class LifecycleHandler implements InboxHandler {
  readonly types = ['Move', 'Flag'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly moves: RemoteMoves,
    private readonly stored: RemoteStatusesService,
    private readonly events: Events,
    private readonly ids: FlakeIds,
  ) {}

  prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    return activity.type === 'Move' ? this.move(activity, actor) : this.flag(activity, actor);
  }

  /** The new account is fetched anew: it must name the actor among its aliases, and is asked again if it does not. */
  private async move({ object, targetUri }: Activity, actor: AccountRow): Promise<Prepared> {
    if (object.uri !== actor.apId || targetUri === null) return ignored('It moves another account');
    const claim = { accountId: actor.id, targetUri, takesFollowers: true, tries: 0 };
    return effect(await this.moves.confirmed(claim, actor));
  }

  /** Reports the accounts of this server that it names, each with its posts; or else the authors of the posts. */
  private async flag({ objects, content, raw }: Activity, actor: AccountRow): Promise<Prepared> {
    const uris = objects.slice(0, MAX_REPORTED);
    const named = await this.accounts.byUris(uris);
    const found = await Promise.all(uris.map((uri) => this.stored.findByUri(uri)));
    const posts = found.flatMap((post) => (post?.local ? [post] : []));
    const accountIds = named.filter(({ domain }) => domain === null).map(({ id }) => id);
    const reported = accountIds.length > 0 ? accountIds : unique(posts.map((post) => post.authorId));
    if (reported.length === 0) return ignored('It reports no account of this server');
    const reason = content ?? plainWordsOf(raw, 'summary', MAX_REASON); // the latter of Lemmy
    return effect(() => {
      for (const id of reported.slice(0, MAX_REPORTS)) {
        const statusIds = posts.filter((post) => post.authorId === id).map((post) => post.id);
        this.events.emit(new ReportReceived(this.ids.next(), actor.id, id, statusIds, reason));
      }
      return Promise.resolve();
    });
  }
}
