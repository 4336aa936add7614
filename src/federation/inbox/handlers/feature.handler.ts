import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService } from '../../../accounts/index.js';
import { RelationshipActivitiesService } from '../../outbox/relationship-activities.service.js';
import type { Activity } from '../../wire/activity.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

/** FeatureRequest (FEP-7aa9): accounts of this server let nobody put them into a collection, as their documents say. */
@Injectable()
export class FeatureHandler implements InboxHandler {
  readonly types = ['FeatureRequest'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly replies: RelationshipActivitiesService,
  ) {}

  async prepare({ id, type, actorUri, object }: Activity, actor: AccountRow): Promise<Prepared> {
    const [account] = await this.accounts.byUris([object.uri]);
    if (account?.domain !== null) return ignored('Its object is no account of this server');
    const request = { id, type, actor: actorUri, object: account.apId };
    return effect(() => this.replies.refuse(request, account.id, actor.id));
  }
}
