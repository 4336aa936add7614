import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { type RemoteStatus, RemoteStatusesService } from '../../statuses/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { sameHost } from '../wire/uris.js';
import { SeenActivitiesRepository } from './seen-activities.repository.js';

/** Attaches what refers to some posts, where these were stored at the same moment. */
export const LinkLate = job<{ uris: string[] }>('federation.link-late', 'ask');

/**
 * A stored post attaches the replies and quotes that came before it. One that is stored at the same moment sees nothing of
 * it, nor is seen: it is attached after both.
 */
@Injectable()
export class LateLinksService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly posts: RemoteStatusesService,
    private readonly policies: PoliciesService,
    private readonly seen: SeenActivitiesRepository,
  ) {}

  /** Plans another look for what a post answers and quotes, as far as that was not found, in the unit that stores it. */
  plan({ parent, inReplyToUri, quoteOfId, quoteUri }: RemoteStatus): void {
    const missing = [parent === null ? inReplyToUri : null, quoteOfId === null ? quoteUri : null];
    const uris = missing.filter((uri) => uri !== null).filter((uri) => !sameHost(uri, this.env.baseUrl));
    if (uris.length > 0) this.jobs.enqueue(LinkLate, { uris });
  }

  /** Waits for the units that store the posts now; a later one finds by itself what refers to its post. */
  @Handles(LinkLate)
  async link({ uris }: { uris: readonly string[] }): Promise<void> {
    await this.uow.run(() => this.seen.lock(uris));
    for (const uri of uris) {
      const status = await this.posts.findByUri(uri);
      if (status && !(await this.policies.refusesAuthorOf(status)))
        await this.posts.linkChildren({ statusId: status.id, uri });
    }
  }
}
