import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { DAILY, ENV, type Env, job, Jobs, knownUrl, Recurs, UnitOfWork } from '../../platform/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { PUBLIC } from '../wire/uris.js';
import { Activities, type Activity } from '../render/activities.js';
import { type Audience, OutboxRepository } from './outbox.repository.js';

/** Delivers to a host that was reached before. */
export const DeliverHost = job<{ host: string }>('deliver.host', 'deliver', { isResumed: true });

/**
 * Delivers to a host that was never reached, or not lately: in a queue of its own, so that dead hosts take no room from
 * the others.
 */
export const ProbeHost = job<{ host: string }>('deliver.probe-host', 'probe', { isResumed: true });

/** Much longer than deliveries are tried. */
const KEPT_DAYS = 30;

/**
 * What ends or changes something that other servers have, or asks for it: it is stored while this server does not
 * federate, and sent afterwards. Others would keep what was deleted for ever; news, such as posts and likes, is only missed.
 */
const SENT_LATER = new Set(['Delete', 'Undo', 'Update', 'Accept', 'Reject', 'Follow', 'Block', 'Move']);

/** One job for each host: at most one process delivers to it. */
export const hostKey = (host: string): string => `deliver:${host}`;

/** How an activity is stored and ordered. */
export interface SendOptions {
  /** The acting account; null for the server itself. */
  readonly accountId: string | null;
  /** Activities with the same key reach a server one after the other. */
  readonly orderingKey: string;
  /** The name under which the activity can be undone. */
  readonly subject?: string | null;
  /** Whether it is sent for a deactivated account too. What ends something always is, unless the account is deleted. */
  readonly evenIfDeactivated?: boolean;
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
    private readonly policies: PoliciesService,
  ) {
    this.activities = new Activities(env.baseUrl);
    this.ownHost = knownUrl(env.baseUrl).host;
  }

  /**
   * Runs work in a unit of work of its own, after all others with the same key, so that it reads the effects of what was sent
   * before. Jobs of events may run in any order.
   */
  serialize(orderingKey: string, work: () => Promise<void>): Promise<void> {
    return this.uow.run(async () => {
      await this.repository.lock(orderingKey);
      await work();
    });
  }

  /**
   * Sends an activity once, unless its audience has no remote account. Joins the open unit of work. While this server does
   * not federate, the activity waits ({@link SENT_LATER}) or is dropped.
   */
  async send(activity: Activity, options: SendOptions, audience: Audience): Promise<void> {
    const waits = !this.settings.get('instance.federating');
    if (waits && !SENT_LATER.has(activity.type)) return;
    await this.uow.run(async () => {
      const { accountId, orderingKey: object, subject = null, evenIfDeactivated = false } = options;
      const stored = { activity, accountId, subject, object, needsActiveAccount: !evenIfDeactivated, waits };
      const isPublic = [activity.to, activity.cc].flat().includes(PUBLIC);
      const unreached = this.policies.unreached(isPublic);
      const hosts = await this.repository.insert(stored, audience, this.ownHost, unreached);
      for (const { host, failing, proven } of hosts) {
        if (!failing && !waits) this.jobs.enqueue(proven ? DeliverHost : ProbeHost, { host }, { key: hostKey(host) });
      }
    });
  }

  /** Sends the Undo of the activity with this subject, if one was sent with another id than `exceptUri`. */
  async undo(options: SendOptions & { subject: string }, audience: Audience, exceptUri?: string): Promise<void> {
    await this.uow.run(async () => {
      const undone = await this.repository.detachSubject(options.subject, exceptUri);
      if (undone) await this.send(this.activities.undo(undone), { ...options, subject: null }, audience);
    });
  }

  /** Sends the Undo of the activity with this id, if it was sent and not undone. */
  async undoByUri(uri: string, options: SendOptions, audience: Audience): Promise<void> {
    await this.uow.run(async () => {
      const undone = await this.repository.detachUri(uri);
      if (undone) await this.send(this.activities.undo(undone), { ...options, subject: null }, audience);
    });
  }

  /** Removes what was stored long ago and cannot be undone. */
  @Recurs({ job: 'federation.purge-activities', everyMinutes: DAILY })
  async purge(): Promise<void> {
    if (this.settings.get('instance.federating')) await this.repository.purge(KEPT_DAYS);
  }

  /** Makes the activity with this subject impossible to undo: the remote account ended what it began, or another one replaces it. */
  async clearSubject(subject: string): Promise<void> {
    await this.repository.detachSubject(subject);
  }
}
