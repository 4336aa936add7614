import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ENV, type Env, Jobs, UnitOfWork } from '../../platform/index.js';
import { Activities, type Activity } from '../render/activities.js';
import { DeliverHost, hostKey, ProbeHost } from './delivery.kinds.js';
import { type Audience, OutboxRepository } from './outbox.repository.js';

/** Who does something, and about what. */
export interface Deed {
  /** The acting account; null for the server itself. */
  readonly accountId: string | null;
  /** What it is about: activities with the same text reach a server one after the other. */
  readonly about: string;
  /** The name of what it does, by which it can be undone. */
  readonly subject?: string | null;
  /** Whether it is sent for a deactivated account too. */
  readonly last?: boolean;
}

/** Sends the activities of this server: stores them with their deliveries, and wakes the deliverers. */
@Injectable()
export class OutboxService {
  readonly activities: Activities;
  private readonly ownHost: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly repository: OutboxRepository,
  ) {
    this.activities = new Activities(env.baseUrl);
    this.ownHost = new URL(env.baseUrl).host;
  }

  /**
   * Runs work in a unit of work of its own, after all others about the same thing: what it reads is what was sent. Jobs of
   * events may run in any order.
   */
  inTurn(about: string, work: () => Promise<void>): Promise<void> {
    return this.uow.run(async () => {
      await this.repository.lock(about);
      await work();
    });
  }

  /** Sends an activity, once; does nothing when nobody elsewhere is concerned. Joins the open unit of work. */
  async send(activity: Activity, { accountId, about, subject = null, last }: Deed, audience: Audience): Promise<void> {
    if (!this.settings.get('instance.federating')) return;
    await this.uow.run(async () => {
      const deed = { activity, accountId, subject, object: about, needsActiveAccount: last !== true };
      const hosts = await this.repository.insert(deed, audience, this.ownHost);
      for (const { host, failing, proven } of hosts) {
        if (!failing) this.jobs.enqueue(proven ? DeliverHost : ProbeHost, { host }, { key: hostKey(host) });
      }
    });
  }

  /** Takes back what was sent; does nothing when nothing was. */
  async undo(deed: Deed & { subject: string }, audience: Audience): Promise<void> {
    await this.uow.run(async () => {
      const undone = await this.repository.take(deed.subject);
      if (undone) await this.send(this.activities.undo(undone), { ...deed, subject: null }, audience);
    });
  }

  /** Removes what was stored long ago and cannot be undone. */
  purge(days: number): Promise<void> {
    return this.repository.purge(days);
  }

  /** Forgets what was sent, since the other side ended it. */
  async forget(subject: string): Promise<void> {
    await this.repository.take(subject);
  }
}
