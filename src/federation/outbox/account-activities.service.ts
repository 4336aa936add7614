import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AccountActivated,
  AccountDeleted,
  AccountDepartures,
  AccountMoved,
  AccountUpdated,
  type DepartureNotifier,
  Scrobbled,
} from '../../accounts/index.js';
import { activityUri } from '../../common/index.js';
import { DAILY, ENV, type Env, Recurs, Subscribes } from '../../platform/index.js';
import { DocumentReaders } from '../documents/document-readers.js';
import { DocumentsService } from '../documents/documents.service.js';
import { PUBLIC_OR_UNLISTED, Visibility } from '../../statuses/index.js';
import { reblogAddressing } from '../render/activities.js';
import { followersOf } from '../wire/uris.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxRepository } from './outbox.repository.js';
import { OutboxService } from './outbox.service.js';

const isLocal = ({ local }: { readonly local: boolean }) => local;

/** Longer than deletions are tried, unless this server does not federate for a while. */
const KEY_DAYS = 3;

/** Sends changes of local accounts. Implements the port {@link AccountDepartures}. */
@Injectable()
export class AccountActivitiesService implements DepartureNotifier, OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly departures: AccountDepartures,
    private readonly outbox: OutboxService,
    private readonly repository: OutboxRepository,
    private readonly sources: ActivitySourcesRepository,
    private readonly documents: DocumentsService,
    private readonly readers: DocumentReaders,
  ) {}

  onModuleInit(): void {
    this.departures.use(this);
  }

  /** Of a deactivated account once it is activated: nobody can read it before, and the staff may have changed it meanwhile. A sign-up that waits has none. */
  @Subscribes(AccountUpdated, { job: 'federation.send-profile', queue: 'federate', when: isLocal })
  @Subscribes(AccountActivated, { job: 'federation.send-late-profile', queue: 'federate', when: isLocal })
  async sendProfile({ accountId }: AccountUpdated | AccountActivated): Promise<void> {
    const orderingKey = `profile:${accountId}`;
    await this.outbox.serialize(orderingKey, async () => {
      const account = await this.sources.account(accountId);
      if (!account?.admitted || account.deactivated) return;
      const { body } = await this.documents.actor(account.nickname);
      const addressees = { to: [followersOf(account.apId)], cc: [] };
      const update = this.outbox.activities.update(body, account.apId, addressees, String(account.version));
      await this.outbox.send(update, { accountId, orderingKey }, { followersOf: [accountId], shared: true });
    });
  }

  @Subscribes(AccountMoved, { job: 'federation.send-move', queue: 'federate', when: isLocal })
  async sendMove({ accountId, targetId }: AccountMoved): Promise<void> {
    const pair = await this.sources.pair(accountId, targetId);
    if (!pair) return;
    const move = this.outbox.activities.move(pair.actor, pair.target, activityUri(this.env.baseUrl, randomUUID()));
    await this.outbox.send(
      move,
      { accountId, orderingKey: `profile:${accountId}` },
      { followersOf: [accountId], shared: true },
    );
  }

  /** Tells the followers what an account listens to; its id follows from that of the scrobble, so it is sent once. */
  @Subscribes(Scrobbled, { job: 'federation.send-listen', queue: 'federate' })
  async sendListen({ scrobbleId, accountId }: Scrobbled): Promise<void> {
    const scrobble = await this.sources.scrobble(scrobbleId);
    const addressees = scrobble && reblogAddressing(Visibility[scrobble.visibility], scrobble.actor, scrobble.actor);
    if (!scrobble || !addressees) return;
    const listen = this.outbox.activities.listen(`${scrobble.actor}#listens/${scrobbleId}`, scrobble, addressees);
    const options = { accountId, orderingKey: `listens:${accountId}` };
    await this.outbox.send(listen, options, {
      followersOf: [accountId],
      shared: PUBLIC_OR_UNLISTED.includesName(scrobble.visibility),
    });
  }

  /** In the unit of work of a deletion: only now it is known who follows the account, and whom it follows. */
  async sendDeparture(accountId: string): Promise<void> {
    const account = await this.sources.account(accountId);
    if (!account) return;
    const audience = {
      followersOf: [accountId],
      followeesOf: accountId,
      shared: true,
      servers: await this.readers.serversOf(account.apId),
    };
    const options = { accountId, orderingKey: `profile:${accountId}`, evenIfDeactivated: true };
    await this.outbox.send(this.outbox.activities.deleteActor(account.apId), options, audience);
  }

  /** Removes what was sent, and what waits, of a deleted account: all but its deletion. */
  @Subscribes(AccountDeleted, { job: 'federation.remove-activities', queue: 'maintenance', when: isLocal })
  async removeActivities({ accountId }: AccountDeleted): Promise<void> {
    await this.repository.removeOf(accountId);
  }

  /** Removes the key pairs that signed the last news of deleted accounts. */
  @Recurs({ job: 'federation.remove-keys', everyMinutes: DAILY })
  async removeKeys(): Promise<void> {
    await this.repository.removeKeys(KEY_DAYS);
  }
}
