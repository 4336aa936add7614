import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../accounts/index.js';
import { DomainError } from '../../common/index.js';
import {
  PUBLIC as PUBLIC_POSTS,
  RemoteStatusesService,
  StatusesService,
  type StatusRow,
} from '../../statuses/index.js';
import { OutboxService } from '../outbox/outbox.service.js';
import type { Activity as SentActivity } from '../render/activities.js';
import type { Activity } from '../wire/activity.js';
import { parseObject } from '../wire/object.js';
import { hostOf, PUBLIC } from '../wire/uris.js';
import { documentOf } from '../wire/values.js';
import type { Effect } from './inbox-handler.js';

/** What brings an answer, or another version of it. */
const TYPES: readonly string[] = ['Create', 'Update'];

/**
 * Passes public answers to public posts of this server on to the followers of their authors, as they came (ActivityPub §7.1.2):
 * only those with a linked-data signature, since nobody else can believe them (threat F31).
 */
@Injectable()
export class ForwardingService {
  constructor(
    private readonly stored: RemoteStatusesService,
    private readonly statuses: StatusesService,
    private readonly outbox: OutboxService,
  ) {}

  /** The effect, after which the activity is passed on if it is one to be passed on and its post was stored. */
  async following(activity: Activity, actor: AccountRow, effect: Effect): Promise<Effect> {
    const answered = await this.answered(activity, actor);
    if (!answered) return effect;
    return async () => {
      const result = await effect();
      if (await this.stored.findByUri(activity.object.uri)) await this.forward(activity, answered);
      return result;
    };
  }

  private async answered({ type, object, raw }: Activity, actor: AccountRow): Promise<StatusRow | undefined> {
    if (!TYPES.includes(type) || documentOf(raw['signature']) === undefined) return undefined;
    const answer = parseObject(object.json);
    const isPublic = answer !== undefined && [...answer.to, ...answer.cc].includes(PUBLIC);
    const post = isPublic && answer.inReplyTo !== null ? await this.stored.findByUri(answer.inReplyTo) : undefined;
    return post?.local && PUBLIC_POSTS.includes(post.visibility) && (await this.mayAnswer(post, actor))
      ? post
      : undefined;
  }

  private async mayAnswer(post: StatusRow, actor: AccountRow): Promise<boolean> {
    try {
      await this.statuses.requireInteractable(post.id, actor.id);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private async forward({ actorUri, object, raw }: Activity, post: StatusRow): Promise<void> {
    const options = { accountId: post.authorId, orderingKey: `forwarded:${object.uri}` };
    const origin = hostOf(actorUri);
    await this.outbox.send(raw as unknown as SentActivity, options, {
      followersOf: [post.authorId],
      except: origin === undefined ? [] : [origin],
      shared: true,
    });
  }
}
