import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Settings, SettingsChanged, SettingsService } from '../../config/index.js';
import {
  currentWork,
  Handles,
  Jobs,
  knownUrl,
  Outbound,
  type OutboundResponse,
  Recurs,
  runWork,
  Subscribes,
  Tracing,
  UnitOfWork,
} from '../../platform/index.js';
import { RequestSigner, UNAUTHORIZED } from '../signatures/request-signer.js';
import { type SigningKey, SigningKeys } from '../signatures/signing-keys.js';
import { ACTIVITY_JSON } from '../wire/uris.js';
import {
  AT_ONCE as READ_AT_ONCE,
  DeliveriesRepository,
  type DueDelivery,
  type WaitingHost,
} from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { type DeliveryOutcome, outcomeOf, outcomeOfError, retrySeconds } from './delivery-outcome.js';
import { FollowersHeader } from './followers-header.js';
import { HostsRepository } from './hosts.repository.js';
import type { SignatureScheme } from './outbox.entities.js';
import { DeliverHost, hostKey, ProbeHost } from './outbox.service.js';
import { WaitingDeliveriesService } from './waiting-deliveries.service.js';

/** Requests to one host at the same time. */
const AT_ONCE = 4;
const TIMEOUT_MS = 10_000;
/** Reads of due deliveries in one job. The next job goes on, so that a process that dies costs a try of these alone (J7). */
const MOST_READS = 10;

/** Some servers answer so to a form of signature that they do not know. */
const UNREADABLE = new Set([400, 403]);

/** The answer of an inbox, and the form of signature that it was an answer to. */
interface Answer {
  readonly outcome: DeliveryOutcome;
  readonly scheme: SignatureScheme;
}

/** What is known of a host since its deliveries began. */
interface Run {
  readonly host: string;
  /** Whether it has taken one. */
  works: boolean;
  /** Whether one has failed, as if it could not be reached. */
  isSuspect: boolean;
}

/** Delivers what waits for a host. The row of a delivery is removed after the answer. */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly logger = new Logger('Deliveries');
  private isStopping = false;

  constructor(
    private readonly outbound: Outbound,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly changes: SettingsService,
    private readonly keys: SigningKeys,
    private readonly signer: RequestSigner,
    private readonly deliveries: DeliveriesRepository,
    private readonly waiting: WaitingDeliveriesService,
    private readonly hosts: HostsRepository,
    private readonly followers: FollowersHeader,
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {}

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Delivers what is due to a host, and leaves what is too much for one job to another; the job of the host makes sure that
   * only one process does. A host that was not reached lately gets one delivery first.
   */
  @Handles(DeliverHost)
  @Handles(ProbeHost)
  async deliver({ host }: { host: string }): Promise<void> {
    if (!this.settings.get('instance.federating')) return;
    const run: Run = { host, works: false, isSuspect: false };
    for (let reads = 0; reads < MOST_READS && !this.isStopping; reads += 1) {
      const rows = await this.deliveries.due(host);
      const isProbe = !run.works && rows[0]?.isReached === false;
      const batch = isProbe ? rows.slice(0, 1) : rows;
      if (!(await this.sendAll(run, batch))) return;
      if (!isProbe && rows.length < READ_AT_ONCE && !rows.some((row) => row.isFollowed)) return;
    }
    await this.schedule([{ host, proven: run.works }]);
  }

  /** Wakes the hosts with deliveries whose time has come: those that failed before, and those whose job was lost. */
  @Recurs({ job: 'federation.wake-hosts', everyMinutes: 1, queue: 'probe' })
  async resumeHosts(): Promise<void> {
    if (!this.settings.get('instance.federating')) return;
    const hosts = await this.deliveries.waitingHosts();
    if (hosts.length > 0) await this.schedule(hosts);
  }

  /** Delivers what waited while this server did not federate. */
  @Subscribes(SettingsChanged, {
    job: 'federation.resume-deliveries',
    queue: 'federate',
    when: ({ paths }: SettingsChanged) => paths.includes('instance.federating'),
  })
  async resume(): Promise<void> {
    await this.changes.settled();
    if (!this.settings.get('instance.federating')) return;
    await this.waiting.renew();
    await this.resumeHosts();
  }

  private schedule(hosts: readonly WaitingHost[]): Promise<void> {
    return this.uow.run(() => {
      for (const { host, proven } of hosts)
        this.jobs.enqueue(proven ? DeliverHost : ProbeHost, { host }, { key: hostKey(host) });
    });
  }

  /** Sends some deliveries, a few at once. Returns false as soon as the host should get no more now. */
  private async sendAll(run: Run, rows: readonly DueDelivery[]): Promise<boolean> {
    const left = [...rows];
    const sendNext = async (): Promise<boolean> => {
      for (let row = left.shift(); row && !this.isStopping; row = left.shift()) {
        if (await this.asItsWork(run, row)) continue;
        left.length = 0; // nor by the others
        return false;
      }
      return true;
    };
    const lanes = await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, sendNext));
    return lanes.length > 0 && lanes.every(Boolean);
  }

  /** An attempt as work of its own: the deliveries of one job follow from different requests. */
  private async asItsWork(run: Run, row: DueDelivery): Promise<boolean> {
    const { requestId, traceparent: parent, type, attempts } = row;
    const attributes = { 'server.address': run.host, 'svc.activity.type': type, 'svc.delivery.attempt': attempts + 1 };
    const link = currentWork()?.span;
    const span = this.tracing.begin({ name: 'deliver', kind: 'producer', parent, link, attributes });
    try {
      return await runWork({ requestId: requestId ?? undefined, span }, () => this.attempt(run, row));
    } finally {
      span?.end();
    }
  }

  /** Sends one delivery and stores the outcome. Returns whether the host may get more. */
  private async attempt(run: Run, row: DueDelivery): Promise<boolean> {
    const { host } = run;
    const key = await this.keyOf(row);
    if (!key) {
      await this.giveUp(host, row, 'no key to sign with');
      return true;
    }
    const { outcome, scheme } = await this.send(row, key);
    this.metrics.count(outcome.kind);
    const { span } = currentWork() ?? {};
    span?.set({ 'svc.delivery.outcome': outcome.kind });
    if (outcome.kind !== 'done') span?.fail(outcome.kind);
    const isAway = outcome.kind === 'busy' || (outcome.kind === 'unreachable' && !run.works);
    if (isAway) {
      run.isSuspect = true;
      return !this.isStopping && this.hostFailed(host, row, outcome);
    }
    if (outcome.kind !== 'unreachable') await this.answered(run, row, outcome.kind === 'done' ? scheme : null);
    await this.settle(host, row, outcome);
    return true;
  }

  /** Remembers that the host works, if that is news. `accepted` is the form of signature of a delivery that it took. */
  private async answered(run: Run, row: DueDelivery, accepted: SignatureScheme | null): Promise<void> {
    run.works ||= accepted !== null;
    if (row.isReached && !run.isSuspect && (accepted === null || accepted === row.signature)) return;
    await this.hostAnswered(run.host, row, accepted);
    run.isSuspect = false;
  }

  private async keyOf({ accountId, serviceActor: actor }: DueDelivery): Promise<SigningKey | undefined> {
    if (accountId !== null) return this.keys.ofAccount(accountId);
    return actor === null ? undefined : this.keys.ofServiceActor(actor);
  }

  private async settle(host: string, row: DueDelivery, { kind, reason }: DeliveryOutcome): Promise<void> {
    if (kind === 'done') return this.deliveries.remove(row.id);
    if (kind === 'gone') {
      await this.uow.run(() =>
        Promise.all([this.hosts.gone(host, row.inbox), this.deliveries.dropInbox(host, row.inbox)]),
      );
      this.logger.log({ host, type: row.type, reason }, 'An inbox is gone');
      return;
    }
    if (kind === 'refused' || row.isLast) return this.giveUp(host, row, reason);
    await this.deliveries.postpone(row.id, retrySeconds(row.attempts));
  }

  private async giveUp(host: string, { id, type, attempts }: DueDelivery, reason: string): Promise<void> {
    await this.deliveries.remove(id);
    this.logger.log({ host, type, reason, attempts: attempts + 1 }, 'A delivery was given up');
  }

  /** Sends all deliveries at once that waited for a failed host. */
  private async hostAnswered(host: string, row: DueDelivery, accepted: SignatureScheme | null): Promise<void> {
    await this.uow.run(async () => {
      await this.hosts.reached(host, accepted);
      if (row.isFailing) await this.waiting.release(host);
    });
  }

  /** Returns whether the host may get others nevertheless. */
  private hostFailed(host: string, row: DueDelivery, outcome: DeliveryOutcome): Promise<boolean> {
    const { reason } = outcome;
    return this.uow.run(async () => {
      await this.deliveries.postpone(row.id, retrySeconds(row.attempts));
      const { state, was } =
        outcome.kind === 'busy'
          ? await this.hosts.busy(host, reason, outcome.afterSeconds, outcome.isAway)
          : await this.hosts.unreachable(host, reason, row.id);
      const dropped = await this.waiting.drop(host);
      if (state !== was || dropped > 0)
        this.logger.log({ host, type: row.type, reason, state, dropped }, 'A server gets nothing for now');
      return state === 'ok';
    });
  }

  /** Tries the form of signature that the host accepted last, and the other one when it seems not to know it. */
  private async send(row: DueDelivery, key: SigningKey): Promise<Answer> {
    const scheme = row.signature ?? 'cavage';
    try {
      const first = await this.post(row, key, scheme);
      if (!mayWantOther(first.status, row.signature)) return { outcome: outcomeOf(first), scheme };
      const other = scheme === 'cavage' ? 'rfc9421' : 'cavage';
      const second = await this.post(row, key, other);
      // A host that does not know the other form refuses it in any way: that says nothing about the delivery.
      const isUnknown = second.status === UNAUTHORIZED || outcomeOf(second).kind === 'refused';
      return { outcome: outcomeOf(isUnknown ? first : second), scheme: other };
    } catch (error) {
      return { outcome: outcomeOfError(error), scheme };
    }
  }

  private async post(row: DueDelivery, key: SigningKey, scheme: SignatureScheme): Promise<OutboundResponse> {
    const { inbox, body } = row;
    const more = await this.followers.of(row, knownUrl(inbox).host);
    return this.outbound.fetch({
      url: inbox,
      method: 'POST',
      headers: { 'content-type': ACTIVITY_JSON },
      body: Buffer.from(body),
      timeoutMs: TIMEOUT_MS,
      sign: (hop) => this.signer.sign(hop, key, scheme, more),
    });
  }
}

function mayWantOther(status: number, known: SignatureScheme | null): boolean {
  return status === UNAUTHORIZED || (known === null && UNREADABLE.has(status));
}
