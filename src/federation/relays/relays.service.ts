import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, isProgram, serverNamesOf } from '../../accounts/index.js';
import { Invalid, NotFound } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, knownUrl, Outbound, UnitOfWork } from '../../platform/index.js';
import { RemoteActors } from '../fetch/remote-actors.js';
import type { Audience } from '../outbox/outbox.repository.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { serviceActor } from '../signatures/service-actor.js';
import { relayActorUri, SigningKeys } from '../signatures/signing-keys.js';
import { documentContext, followersOf, PUBLIC } from '../wire/uris.js';
import type { Relay } from './relay.entities.js';
import { RelaysRepository } from './relays.repository.js';

type Document = Record<string, unknown>;

/** The server's part in relays, which exchange the public posts of servers that do not know each other. */
@Injectable()
export class RelaysService {
  /** The actor that follows relays. */
  readonly actorUri: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly outbound: Outbound,
    private readonly accounts: AccountsService,
    private readonly actors: RemoteActors,
    private readonly outbox: OutboxService,
    private readonly keys: SigningKeys,
    private readonly relays: RelaysRepository,
  ) {
    this.actorUri = relayActorUri(env.baseUrl);
  }

  list(): Promise<Relay[]> {
    return this.relays.list();
  }

  /**
   * Asks a relay for its posts, and offers it ours: an actor, or the inbox of a relay of Mastodon's kind. One that was
   * accepted stays so. Joins no unit of work: it may fetch the actor.
   * @param alongside what is done in the same unit of work
   * @throws Invalid for what is no relay
   */
  async follow(address: string, alongside: () => Promise<void>): Promise<Relay> {
    if (!this.isAllowed()) throw new Invalid('Relays are not allowed here');
    const known = await this.relays.find({ address });
    const target = known?.state === 'accepted' ? undefined : await this.target(address);
    return this.uow.run(async () => {
      if (target) {
        const followUri = `${this.actorUri}#follows/${randomUUID()}`;
        await this.relays.save({ address, followUri, ...target });
        const object = target.style === 'mastodon' ? PUBLIC : address;
        const follow = this.outbox.activities.follow(followUri, this.actorUri, object);
        await this.outbox.clearSubject(subjectOf(address)); // a Follow without an answer is replaced
        await this.outbox.send(follow, { ...optionsOf(address), subject: subjectOf(address) }, audienceOf(target));
      }
      await alongside();
      return this.existing(address);
    });
  }

  /**
   * Ends the exchange with a relay, in both directions. Joins the open unit of work.
   * @throws Invalid for an unknown one
   */
  async unfollow(address: string): Promise<void> {
    await this.uow.run(async () => {
      const relay = await this.existing(address);
      await this.outbox.undo({ ...optionsOf(address), subject: subjectOf(address) }, audienceOf(relay));
      await this.relays.remove(relay.id);
      if (relay.accountId !== null) await this.endFollow(relay.accountId);
    });
  }

  /** Accepts that a relay follows the relay actor. Joins the open unit of work. */
  async accept(follower: AccountRow, followUri: string): Promise<void> {
    await this.uow.run(async () => {
      await this.relays.addFollower(follower.id);
      await this.answerFollow('Accept', follower, followUri);
    });
  }

  /** Ends that a relay follows the relay actor, so that it gets no more posts. */
  private async endFollow(accountId: string): Promise<void> {
    const isFollower = await this.relays.removeFollower(accountId);
    const follower = isFollower ? await this.accounts.byId(accountId) : undefined;
    if (follower) await this.answerFollow('Reject', follower, null);
  }

  private async answerFollow(type: 'Accept' | 'Reject', { id, apId }: AccountRow, uri: string | null): Promise<void> {
    const follow = { id: uri, actor: apId, object: this.actorUri };
    const answerUri = `${this.actorUri}#${type.toLowerCase()}s/${randomUUID()}`;
    const answer = this.outbox.activities.answer(answerUri, type, follow);
    await this.outbox.send(answer, optionsOf(apId), { accountIds: [id], shared: false });
  }

  async removeFollower(accountId: string): Promise<void> {
    await this.relays.removeFollower(accountId);
  }

  /** The relay that answers one of our Follows; undefined when the actor is not that relay. */
  async answering(followUri: string, actor: AccountRow): Promise<Relay | undefined> {
    const named = await this.relays.find({ followUri });
    const relay = named ?? (await this.relays.find({ accountId: actor.id }));
    if (!relay) return undefined;
    const { accountId, inbox } = relay;
    const isIt = accountId === null ? serverNamesOf(actor).includes(knownUrl(inbox).host) : accountId === actor.id;
    return isIt ? relay : undefined;
  }

  async answered(relay: Relay, state: 'accepted' | 'rejected', actor: AccountRow): Promise<void> {
    await this.relays.answered(relay.id, state, actor.id);
  }

  /**
   * Whether an account is a relay that accepted this server. Returns false while relays are not allowed. Relays are
   * programs: people need not be looked up.
   */
  async isRelay(account: AccountRow): Promise<boolean> {
    if (!this.isAllowed() || !isProgram(account)) return false;
    return (await this.relays.find({ accountId: account.id }))?.state === 'accepted';
  }

  /** The document of the relay actor. @throws NotFound when relays are not allowed */
  async document(): Promise<Document> {
    if (!this.isAllowed()) throw new NotFound('Not found');
    const id = this.actorUri;
    const actor = serviceActor(this.env, id, 'relay', await this.keys.instancePublicPem());
    return { ...actor, followers: followersOf(id), following: `${id}/following` };
  }

  /** @throws NotFound when relays are not allowed */
  async collection(which: 'followers' | 'following'): Promise<Document> {
    if (!this.isAllowed()) throw new NotFound('Not found');
    const items = await this.relays.actors(which);
    return {
      '@context': documentContext(this.env.baseUrl),
      id: `${this.actorUri}/${which}`,
      type: 'OrderedCollection',
      totalItems: items.length,
      orderedItems: items,
    };
  }

  private async target(address: string): Promise<Pick<Relay, 'style' | 'inbox' | 'accountId'>> {
    if (!this.outbound.mayReach(address)) throw new Invalid('relay_url must be the address of a relay');
    if (knownUrl(address).pathname.endsWith('/inbox')) return { style: 'mastodon', inbox: address, accountId: null };
    const actor = await this.actors.resolve(address, { fresh: true });
    if (!actor?.inboxUrl || actor.domain === null) throw new Invalid('The relay cannot be reached');
    return { style: 'litepub', inbox: actor.inboxUrl, accountId: actor.id };
  }

  private async existing(address: string): Promise<Relay> {
    const relay = await this.relays.find({ address });
    if (!relay) throw new Invalid('There is no such relay');
    return relay;
  }

  /** Whether this server takes part in relays. */
  isAllowed(): boolean {
    return this.settings.get('instance.allow_relay');
  }
}

const subjectOf = (address: string) => `relay:${address}`;
const optionsOf = (address: string) => ({ accountId: null, orderingKey: subjectOf(address) });

function audienceOf({ accountId, inbox }: Pick<Relay, 'accountId' | 'inbox'>): Audience {
  return accountId === null ? { inboxes: [inbox], shared: false } : { accountIds: [accountId], shared: false };
}
