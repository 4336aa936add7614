import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AccountRow, AccountsService, isActive, serverNamesOf } from '../../accounts/index.js';
import {
  type ApiRequest,
  asReason,
  decodeUtf8,
  DomainError,
  Forbidden,
  Invalid,
  NotFound,
  readRawBody,
  RemoteUnavailable,
  Busy,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, OutboundError } from '../../platform/index.js';
import { DocumentFetcher } from '../fetch/document-fetcher.js';
import { RemoteActors } from '../fetch/remote-actors.js';
import { PoliciesService } from '../policies/policies.service.js';
import { HostsService } from '../outbox/hosts.service.js';
import { RelaysService } from '../relays/relays.service.js';
import { SignatureRefused } from '../signatures/signature-refused.js';
import { SignatureVerifier } from '../signatures/signature-verifier.js';
import type { SignatureClaim } from '../signatures/signed-request.js';
import { type Activity, isRetraction, isReturn, parseActivity } from '../wire/activity.js';
import { SYNCHRONIZATION } from '../wire/followers-digest.js';
import { hostOf, sameHost } from '../wire/uris.js';
import { type Document, readDocument, typeOf } from '../wire/values.js';
import { ownDigest } from '../fetch/seen-activities.repository.js';
import { ActivityRunner } from './activity-runner.js';
import { FollowersSynchronizationService } from './followers-synchronization.service.js';
import { InboxDrainService } from './inbox-drain.service.js';
import { InboxLimits } from './inbox.limits.js';
import { InboxMetrics } from './inbox.metrics.js';
import { InboxRepository } from './inbox.repository.js';

/** Some servers send plain JSON: the signature covers the bytes, whatever they are called. */
const TYPES = ['application/activity+json', 'application/ld+json', 'application/json'];
const RETRY_SECONDS = 60;

/** 401: the request is not signed, or not rightly. */
class SignatureRequired extends DomainError {
  readonly status = 401;
  override readonly headers = { 'WWW-Authenticate': 'Signature headers="(request-target) host date digest"' };
}

/** 403: the signature is valid, but not that of the actor. Relays and other servers pass such activities on: it is no attack. */
class SignedByAnother extends DomainError {
  readonly status = 403;
}

/** A received activity, the account that receives it, and its signature, of which only the form was checked. */
interface Received {
  readonly activity: Activity;
  readonly inboxOf: string | null;
  readonly claim: SignatureClaim;
  readonly body: string;
  /** What the signer says of its followers here; null when it did not sign that. */
  readonly synchronization: string | null;
}

/** Receives activities: refuses what is cheap to refuse, then verifies the signature, then queues them (threats F1 to F4). */
@Injectable()
export class InboxService {
  private readonly logger = new Logger(InboxService.name);

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly relays: RelaysService,
    private readonly actors: RemoteActors,
    private readonly fetcher: DocumentFetcher,
    private readonly verifier: SignatureVerifier,
    private readonly limits: InboxLimits,
    private readonly metrics: InboxMetrics,
    private readonly queue: InboxRepository,
    private readonly drain: InboxDrainService,
    private readonly runner: ActivityRunner,
    private readonly hosts: HostsService,
    private readonly policies: PoliciesService,
    private readonly followers: FollowersSynchronizationService,
  ) {}

  /**
   * Queues an activity, unless it has no effect here. `nickname` is the owner of the inbox, null for that of all.
   * @throws DomainError for what is refused
   */
  async receive(request: ApiRequest, nickname: string | null): Promise<void> {
    await this.limits.requireGoodStanding(request);
    await this.requireSigned(request);
    const { bytes, body, document } = await this.read(request);
    const isHandled = this.runner.handles(typeOf(document) ?? ''); // nothing else is read of what is ignored
    const activity = isHandled ? parseActivity(document) : undefined;
    if (!activity) {
      this.metrics.count('ignored: type');
      return;
    }
    try {
      if (activity.type !== 'Delete' && this.policies.isBlocked(activity.actorUri)) {
        this.metrics.count('ignored: blocked server');
        return;
      }
      if (sameHost(activity.actorUri, this.env.baseUrl)) throw new Forbidden('The actor lives on this server');
      const { method, originalUrl: url, headers } = request;
      const claim = this.verifier.read({ method, url, headers, rawBody: bytes });
      const inboxOf = await this.ownerOf(nickname, activity);
      const { [SYNCHRONIZATION]: header } = headers;
      const synchronization = claim.covered.includes(SYNCHRONIZATION) && typeof header === 'string' ? header : null;
      this.metrics.count(await this.receiveActivity({ activity, inboxOf, claim, body, synchronization }));
    } catch (error) {
      throw await this.refused(request, activity, error);
    }
  }

  /** Refuses an unsigned request before its body is read. */
  private async requireSigned(request: ApiRequest): Promise<void> {
    if (request.headers['signature']) return;
    this.metrics.count('refused: unsigned');
    await this.limits.countRefusal(request);
    throw new SignatureRequired('Request not signed');
  }

  /** @throws DomainError for a body that is no document, which counts as a refusal */
  private async read(request: ApiRequest): Promise<{ bytes: Buffer; body: string; document: Document }> {
    const bytes = await readRawBody(request, TYPES);
    try {
      const body = decodeUtf8(bytes);
      const document = readDocument(body);
      if (document) return { bytes, body, document };
      throw new Invalid('The body must be a JSON object');
    } catch (error) {
      this.metrics.count('refused: unreadable');
      await this.limits.countRefusal(request);
      throw error;
    }
  }

  /** Returns what became of the activity. */
  private async receiveActivity(received: Received): Promise<string> {
    const { activity, inboxOf, body, synchronization } = received;
    if (await this.isDeleteOfUnknown(activity)) return 'ignored: delete of unknown';
    if ((await this.metrics.depth()).waiting >= this.settings.get('activitypub.inbox_queue'))
      throw new Busy('The inbox is full', {}, RETRY_SECONDS);
    const signer = await this.signerOf(received);
    if (!signer) return 'ignored: blocked server';
    const host = hostOf(signer.apId) ?? '';
    for (const name of serverNamesOf(signer)) await this.limits.requireRoom(name);
    const digest = ownDigest({ activity, signerId: signer.id });
    const isNew = await this.queue.add({ digest, host, actorId: signer.id, inboxOf, body });
    await this.hosts.markReachable(host);
    if (!isNew) return 'ignored: known';
    await this.drain.resume();
    if (synchronization !== null) await this.followers.received(synchronization, signer);
    return 'queued';
  }

  /** The account of the key that signed; undefined when its handle is one of a blocked server. Throws SignatureRefused. */
  private async signerOf({ activity, claim }: Received): Promise<AccountRow | undefined> {
    const ownerUri = await this.verifiedOwner(activity, claim);
    if (ownerUri !== activity.actorUri && !(await this.mayPassOn(activity, ownerUri))) {
      await this.limits.requireRoom(hostOf(ownerUri) ?? '');
      throw new SignedByAnother('The key of the signature is not that of the actor');
    }
    const account = await this.actors.resolve(ownerUri, { returns: isReturn(activity) });
    if (account || this.policies.isBlocked(ownerUri)) return account;
    throw new SignatureRefused('unreachable', 'The owner of the key cannot be fetched');
  }

  /** Anybody may pass on a new post, and a relay what happens to posts: their servers are asked. */
  private async mayPassOn({ type }: Activity, signerUri: string): Promise<boolean> {
    if (type === 'Create') return true;
    const signer = type === 'Update' || type === 'Delete' ? await this.accounts.stored(signerUri) : undefined;
    return signer !== undefined && this.relays.isRelay(signer);
  }

  /**
   * A deleted actor has no key any more: its server says that it was deleted instead (threat F12). A 404 does not say
   * that: it is also the answer while an account is suspended. Then the stored key has to fit.
   */
  private async verifiedOwner(activity: Activity, claim: SignatureClaim): Promise<string> {
    try {
      return (await this.verifier.check(claim)).ownerUri;
    } catch (error) {
      const { actorUri } = activity;
      const isGone = error instanceof SignatureRefused && error.reason === 'gone' && sameHost(claim.keyId, actorUri);
      if (isGone && isOfItself(activity) && (await this.fetcher.deletionState(actorUri)) === 'deleted') return actorUri;
      throw error;
    }
  }

  /** Servers send the Delete of an account to every server they know; most of these never stored the account. */
  private async isDeleteOfUnknown(activity: Activity): Promise<boolean> {
    return isOfItself(activity) && (await this.accounts.stored(activity.actorUri)) === undefined;
  }

  /** The inbox of an account that is not active takes what ends something; that of a deleted one takes nothing. */
  private async ownerOf(nickname: string | null, activity: Activity): Promise<string | null> {
    if (nickname === null) return null;
    const account = await this.accounts.byNickname(nickname);
    const isOpen = account && (isActive(account) || (account.deletedAt === null && isRetraction(activity)));
    if (!isOpen) throw new NotFound('Not found');
    return account.id;
  }

  /** The error that the other server gets, counted and logged. */
  private async refused(request: ApiRequest, { actorUri, type }: Activity, error: unknown): Promise<unknown> {
    const isSignature = error instanceof SignatureRefused;
    if (!isSignature && !(error instanceof DomainError) && !(error instanceof OutboundError)) return error;
    const reason = isSignature ? error.reason : error.name;
    this.metrics.count(`refused: ${reason}`);
    this.logger.log({ host: hostOf(actorUri), type, reason: error.message }, 'An activity was refused');
    if (error instanceof DomainError && !(error instanceof Forbidden)) return error;
    if (error instanceof OutboundError || reason === 'unreachable')
      return new RemoteUnavailable('The server of the key cannot be reached', { cause: error }, RETRY_SECONDS);
    await this.limits.countRefusal(request);
    return error instanceof SignatureRefused ? new SignatureRequired(asReason(error.message)) : error;
  }
}

/** Whether an actor says that it was deleted. */
function isOfItself({ type, actorUri, object }: Activity): boolean {
  return type === 'Delete' && object.uri === actorUri;
}
