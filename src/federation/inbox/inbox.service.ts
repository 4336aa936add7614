import { Inject, Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import { Forbidden, Invalid, NotFound, Unauthorized, Unavailable } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { RemoteActors } from '../fetch/remote-actors.js';
import { SignatureRefused } from '../signatures/signature-refused.js';
import { SignatureVerifier } from '../signatures/signature-verifier.js';
import type { SignedRequest } from '../signatures/signed-request.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import { hostOf, sameHost } from '../wire/uris.js';
import { InboxDrainService } from './inbox-drain.service.js';
import { InboxRepository } from './inbox.repository.js';

/** Above this many waiting activities, other servers are asked to come later. */
const MAX_WAITING = 50_000;
/** The depth of the queue is looked at so often. */
const DEPTH_MS = 5_000;
const RETRY_AFTER_SECONDS = 300;

/** A request to an inbox. */
export interface InboxRequest extends SignedRequest {
  /** The parsed body. */
  readonly json: unknown;
  /** The owner of the inbox; undefined for the shared one. */
  readonly nickname: string | undefined;
}

/** Receives activities: refuses what is cheap to refuse, verifies the signature, and queues the rest. */
@Injectable()
export class InboxService {
  private waiting = { count: 0, readAt: 0 };

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly verifier: SignatureVerifier,
    private readonly actors: RemoteActors,
    private readonly queue: InboxRepository,
    private readonly drain: InboxDrainService,
  ) {}

  /**
   * Queues an activity. Those that are known, or that can have no effect here, are dropped without an error.
   * @throws Invalid for what is no activity, Unauthorized without a valid signature of its actor, Forbidden for actors of
   * this server, NotFound for the inbox of nobody and while federation is off, Unavailable while too many wait
   */
  async receive(request: InboxRequest): Promise<void> {
    if (!this.settings.get('instance.federating')) throw new NotFound();
    const activity = parseActivity(request.json);
    if (!activity) throw new Invalid('The body is no activity');
    if (sameHost(activity.actorUri, this.env.baseUrl)) throw new Forbidden('The actor belongs to this server');
    const inboxOf = await this.ownerOf(request.nickname);
    const claim = asRefusal(() => this.verifier.read(request));
    if (await this.isDroppable(activity)) return;
    await this.requireRoom();
    const signerUri = await this.signerOf(claim, activity);
    if (signerUri === undefined) return;
    const signer = await this.actors.resolve(signerUri);
    if (!signer) throw new Unauthorized('The actor of the signature is not known');
    const host = hostOf(activity.actorUri) ?? '';
    const body = request.rawBody?.toString('utf8') ?? '';
    const isNew = await this.queue.add({ activityId: activity.id, host, actorId: signer.id, inboxOf, body });
    if (isNew) await this.drain.wake();
  }

  private async ownerOf(nickname: string | undefined): Promise<string | null> {
    if (nickname === undefined) return null;
    const owner = await this.accounts.byNickname(nickname);
    if (!owner || owner.deactivated_at !== null) throw new NotFound();
    return owner.id;
  }

  /** Whether the activity can have no effect: its type, an id that was received before, or the end of an unknown actor. */
  private async isDroppable({ id, type, actorUri, object }: Activity): Promise<boolean> {
    if (!this.drain.handles(type)) return true;
    if (type === 'Delete' && object.uri === actorUri && !(await this.accounts.stored(actorUri))) return true;
    return this.queue.isSeen(id);
  }

  /** The actor that signed; another one than the activity's may only pass on a new post, which is fetched anew. */
  private async signerOf(
    claim: ReturnType<SignatureVerifier['read']>,
    activity: Activity,
  ): Promise<string | undefined> {
    try {
      const { ownerUri } = await this.verifier.check(claim);
      if (ownerUri !== activity.actorUri && activity.type !== 'Create') {
        throw new SignatureRefused('key', 'Another actor signed the activity');
      }
      return ownerUri;
    } catch (error) {
      if (!(error instanceof SignatureRefused)) throw error;
      if (error.reason === 'gone' && activity.type === 'Delete') return undefined;
      throw new Unauthorized(error.message);
    }
  }

  private async requireRoom(): Promise<void> {
    if (Date.now() - this.waiting.readAt > DEPTH_MS) {
      this.waiting = { count: this.waiting.count, readAt: Date.now() };
      this.waiting.count = (await this.queue.depth()).waiting;
    }
    if (this.waiting.count > MAX_WAITING) throw new Unavailable('The inbox is full', {}, RETRY_AFTER_SECONDS);
  }
}

function asRefusal<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SignatureRefused ? new Unauthorized(error.message) : error;
  }
}
