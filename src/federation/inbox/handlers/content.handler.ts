import { Injectable } from '@nestjs/common';
import { AccountDeletionService, type AccountRow, AccountsService, FollowsService } from '../../../accounts/index.js';
import { ChatsService, messageOfStatus, statusOfMessage } from '../../../chats/index.js';
import { TextWorkers, unique } from '../../../common/index.js';
import { PollsService, QuoteConsentService, RemoteStatusesService, StatusesService } from '../../../statuses/index.js';
import { DocumentFetcher } from '../../fetch/document-fetcher.js';
import { RemoteActors } from '../../fetch/remote-actors.js';
import { RemoteStatusFetcher } from '../../fetch/remote-status-fetcher.js';
import { PoliciesService } from '../../policies/policies.service.js';
import type { Activity, ActivityObject } from '../../wire/activity.js';
import { jointAddressees } from '../../wire/addressing.js';
import { picturesAmong } from '../../wire/attachments.js';
import { isChatMessage, parseChatMessage } from '../../wire/chat-message.js';
import { parseFetched, parseObject, type RemoteObject } from '../../wire/object.js';
import { isActorType, parseActor } from '../../wire/remote-actor.js';
import { PUBLIC, sameHost } from '../../wire/uris.js';
import { typeOf } from '../../wire/values.js';
import { ForwardedStatuses } from '../forwarded-statuses.js';
import { effect, ignored, type InboxHandler, type Prepared, type Queued } from '../inbox-handler.js';
import { NOT_CONCERNED, Relevance } from '../relevance.js';

/** Create, Update and Delete of posts, polls, chat messages and accounts, and the end of a Delete. */
@Injectable()
export class ContentHandler implements InboxHandler {
  readonly types = ['Create', 'Update', 'Delete', 'Undo Delete'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly deletion: AccountDeletionService,
    private readonly statuses: StatusesService,
    private readonly polls: PollsService,
    private readonly chats: ChatsService,
    private readonly stored: RemoteStatusesService,
    private readonly posts: RemoteStatusFetcher,
    private readonly actors: RemoteActors,
    private readonly documents: DocumentFetcher,
    private readonly texts: TextWorkers,
    private readonly relevance: Relevance,
    private readonly consent: QuoteConsentService,
    private readonly policies: PoliciesService,
    private readonly follows: FollowsService,
    private readonly forwarded: ForwardedStatuses,
  ) {}

  prepare(activity: Activity, actor: AccountRow, { inboxOf }: Queued): Promise<Prepared> {
    switch (activity.type) {
      case 'Create':
        return this.create(activity, actor, inboxOf);
      case 'Update':
        return this.update(activity, actor, inboxOf);
      case 'Undo':
        return this.restore(activity, actor);
      default:
        return this.delete(activity, actor);
    }
  }

  private async create(activity: Activity, actor: AccountRow, inboxOf: string | null): Promise<Prepared> {
    if (isChatMessage(activity.object.json)) return this.message(activity, actor);
    const sent = await this.sentBy(activity, actor, inboxOf);
    if (!sent) return ignored('The type of its object is not supported');
    if (!isBy(sent, actor)) return ignored('The object belongs to another actor');
    if (sent.isVote) return this.vote(sent, actor);
    if (inboxOf === null && !(await this.relevance.concernsUs(sent, actor))) return ignored(NOT_CONCERNED);
    return effect(await this.posts.prepare(sent, actor));
  }

  /**
   * The post that a Create or Update embeds, or that its address leads to, with everybody whom the two address. A post for
   * few is also for the owner of the inbox that received it.
   */
  private async sentBy(
    activity: Activity,
    actor: AccountRow,
    inboxOf: string | null,
  ): Promise<RemoteObject | undefined> {
    const { uri, json } = activity.object;
    const isWanted = json !== undefined || inboxOf !== null || (await this.isWanted(uri, activity, actor));
    const fetched = json === undefined && isWanted ? await this.documents.fetchDated(uri) : undefined;
    const sent = json === undefined ? parseFetched(fetched) : parseObject(json);
    if (!sent) return undefined;
    const many = [PUBLIC, actor.followersUrl];
    const { to, cc } = jointAddressees(sent, activity, many);
    const isForFew = ![...to, ...cc].some((id) => many.includes(id));
    const owner = inboxOf !== null && isForFew ? await this.accounts.byId(inboxOf) : undefined;
    return { ...sent, sentAt: sentAt(activity, sent), to, cc: owner ? unique([...cc, owner.apId]) : cc };
  }

  /** Whether a post is asked for of which only the address is known. */
  private async isWanted(uri: string, { actorUri, to, cc }: Activity, actor: AccountRow): Promise<boolean> {
    if ((await this.stored.findByUri(uri)) !== undefined) return true;
    const claims = { attributedTo: actorUri, to, cc, mentions: [], inReplyTo: null, quoteUri: null };
    return this.relevance.concernsUs(claims, actor);
  }

  /** A new message, or an edited one. */
  private async message({ type, object, to }: Activity, actor: AccountRow): Promise<Prepared> {
    const sent = parseChatMessage(object.json);
    if (!sent || sent.attributedTo !== actor.apId) return ignored('It is no chat message of its actor');
    if (to.length !== 1 || to[0] !== sent.to) return ignored('It is addressed to somebody else than its message');
    const [recipient] = await this.accounts.byUris([sent.to]);
    if (recipient?.domain !== null) return ignored(NOT_CONCERNED);
    const { id: uri, attachment } = sent;
    const received = { text: await this.texts.run('strip', sent.content), hasMedia: attachment !== undefined };
    const files = attachment ? [attachment] : [];
    const facts = {
      ...statusOfMessage(received),
      furtherTexts: files.map(({ description }) => description),
      pictures: picturesAmong(files),
      emojis: sent.emojis,
    };
    const passed = await this.policies.post(facts, { author: actor, recipients: [sent.to] });
    if (typeof passed === 'string') return ignored(passed);
    if (passed.isForFollowersOnly && (await this.follows.followersAmong(actor.id, [recipient.id])).length === 0)
      return ignored('Its recipient does not follow its actor');
    const { text: content, hasMedia } = messageOfStatus(passed, received, actor.tags);
    const ends = { senderId: actor.id, recipientId: recipient.id };
    const shown = { content, emojis: passed.emojis, attachment: hasMedia ? attachment : undefined };
    const message = { uri, ...ends, ...shown };
    return effect(() => (type === 'Create' ? this.chats.receive(message) : this.chats.edit(message)));
  }

  private async vote({ inReplyTo, name }: RemoteObject, actor: AccountRow): Promise<Prepared> {
    const status = inReplyTo === null ? undefined : await this.stored.findByUri(inReplyTo);
    if (!status?.local || name === null) return ignored('It votes in no poll of this server');
    return effect(() => this.polls.voteRemotely(status.id, actor.id, name));
  }

  private async update(activity: Activity, actor: AccountRow, inboxOf: string | null): Promise<Prepared> {
    const { object } = activity;
    if (isChatMessage(object.json)) return this.message(activity, actor);
    if (object.uri === actor.apId || isActorType(typeOf(object.json))) return this.refresh(object, actor);
    const sent = await this.sentBy(activity, actor, inboxOf);
    if (!sent || sent.isVote) return ignored('The type of its object is not supported');
    if (!isBy(sent, actor)) return ignored('The object belongs to another actor');
    if (!(await this.stored.findByUri(sent.id))) {
      if (inboxOf === null && !(await this.relevance.concernsUs(sent, actor))) return ignored(NOT_CONCERNED);
      return effect(await this.posts.prepare(sent, actor));
    }
    const post = await this.posts.revised(sent, actor);
    if (!post) return ignored('A policy refuses it');
    return effect(() => this.posts.edit(post));
  }

  private async refresh({ uri, json }: ActivityObject, actor: AccountRow): Promise<Prepared> {
    if (uri !== actor.apId) return ignored('The profile belongs to another actor');
    await this.actors.refresh(uri, { updated: parseActor(json), anew: true });
    return effect(() => Promise.resolve());
  }

  /** Moderators of a server may delete the posts of its accounts: its server then serves them no more. */
  private async delete({ object: { uri } }: Activity, actor: AccountRow): Promise<Prepared> {
    if (uri === actor.apId) return effect(() => this.deletion.deleteRemote(actor.id));
    if (!sameHost(uri, actor.apId)) return ignored('The object belongs to another server');
    const status = await this.stored.findByUri(uri);
    const reblog = status ? undefined : await this.stored.findReblogByUri(uri);
    if (reblog?.authorId === actor.id) return effect(() => this.statuses.removeReblog(reblog.reblogOfId, actor.id));
    if (status && status.authorId !== actor.id && !(await this.documents.isGone(status)))
      return ignored('It belongs to another actor, and its server serves it still');
    return effect(async () => {
      if (await this.chats.deleteReceived(uri, actor.id)) return true;
      const isDeleted = await this.stored.delete(uri, status?.authorId ?? actor.id); // also what was stored meanwhile
      if (!isDeleted && (await this.stored.isQuoted(uri))) this.posts.fetchLater({ uris: [uri], collections: [] });
      return isDeleted || this.consent.withdraw(uri, actor.id);
    });
  }

  /** An account of a server may restore posts of its server, since that has to serve them again. */
  private async restore({ object }: Activity, actor: AccountRow): Promise<Prepared> {
    const uri = object.activity?.object.uri ?? '';
    return sameHost(uri, actor.apId) ? this.forwarded.restore(uri) : ignored('The object belongs to another server');
  }
}

/** Whether the actor may speak for an object: it names the actor, and lies on the actor's server. */
function isBy({ id, attributedTo }: RemoteObject, { apId }: AccountRow): boolean {
  return attributedTo === apId && sameHost(id, apId);
}

/** When a post was sent, as its activity states it; GoToSocial states the time of the post there. */
function sentAt({ published: sent }: Activity, { published }: RemoteObject): Date | null {
  return sent !== null && sent > (published ?? 0) ? sent : null;
}
