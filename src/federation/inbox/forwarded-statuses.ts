import { Injectable } from '@nestjs/common';
import { RemoteStatusesService } from '../../statuses/index.js';
import { DocumentFetcher } from '../fetch/document-fetcher.js';
import { RemoteStatusFetcher } from '../fetch/remote-status-fetcher.js';
import { SeenActivitiesRepository } from '../fetch/seen-activities.repository.js';
import { effect, ignored, type Prepared } from './inbox-handler.js';

/**
 * Changes, deletions and restorations of posts that groups and relays pass on. They prove nothing about the posts of others:
 * the server of the post has to agree (threat F27).
 */
@Injectable()
export class ForwardedStatuses {
  constructor(
    private readonly stored: RemoteStatusesService,
    private readonly posts: RemoteStatusFetcher,
    private readonly documents: DocumentFetcher,
    private readonly seen: SeenActivitiesRepository,
  ) {}

  /** What the server of the post serves now counts. Not inside a unit of work. */
  async update(uri: string): Promise<Prepared> {
    const stored = await this.stored.findByUri(uri);
    if (stored?.local !== false) return ignored('It changes no post that is stored here');
    const post = await this.posts.current(uri);
    return post ? effect(() => this.posts.edit(post)) : ignored('Its server does not serve the post');
  }

  /** Deletes a post that its server says is gone. Not inside a unit of work. */
  async delete(uri: string): Promise<Prepared> {
    const stored = await this.stored.findByUri(uri);
    if (stored?.local !== false) return ignored('It deletes no post that is stored here');
    if (!(await this.documents.isGone(stored))) return ignored('Its server serves the post still');
    return effect(() => this.stored.delete(uri, stored.authorId));
  }

  /** Stores a post again that its server deleted and serves now; not one that the staff deleted. Not inside a unit of work. */
  async restore(uri: string): Promise<Prepared> {
    if (!(await this.stored.isWithdrawn(uri))) return ignored('It restores no post that its server deleted');
    const restored = await this.posts.fetch(uri);
    if (restored?.object.id !== uri) return ignored('Its server does not serve the post');
    const { object, author } = restored;
    const store = await this.posts.prepare(object, author);
    return effect(async () => {
      await this.seen.forgetDeletion(author.id, uri);
      await this.stored.forgetDeletion(uri);
      await store();
    });
  }
}
