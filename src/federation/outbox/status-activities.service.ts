import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { ENV, type Env, Handles, job, Jobs, Subscribes, UnitOfWork } from '../../platform/index.js';
import {
  FOR_FOLLOWERS,
  LIST,
  LOCAL_ONLY,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  PollClosed,
  PollVoted,
  QuoteChanged,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  StatusNarrowed,
} from '../../statuses/index.js';
import type { ReadingServer } from '../documents/document-readers.repository.js';
import { DocumentReaders } from '../documents/document-readers.js';
import { DocumentsService } from '../documents/documents.service.js';
import { reblogAddressing, createUri } from '../render/activities.js';
import { relayActorUri } from '../signatures/signing-keys.js';
import { followersOf, hostOf, PUBLIC as PUBLIC_COLLECTION } from '../wire/uris.js';
import { ActivitySourcesRepository, type SentStatus } from './activity-sources.repository.js';
import type { Audience } from './outbox.repository.js';
import { OutboxService } from './outbox.service.js';

type Document = Readonly<Record<string, unknown>>;

/** A form of a post for some receivers. */
interface Variant {
  readonly document: Document;
  readonly audience: Audience;
  /** Distinguishes its activities from those of other variants. */
  readonly suffix: string;
}

interface StatusRef {
  readonly local: boolean;
  readonly visibility: number;
}

const isOurs = ({ local, visibility }: StatusRef) => local && !LOCAL_ONLY.includes(visibility);

/** Sends the new counts of a local poll. */
const SendPollCounts = job<{ statusId: string }>('federation.send-poll-counts', 'federate');
const COUNTS_AFTER_MS = 60_000;

const orderingKeyOf = (statusId: string) => `status:${statusId}`;
/** Of all boosts of a post by an account, since some servers keep the first and others the last. */
const reblogKeyOf = (accountId: string, reblogOfId: string) => `reblog:${accountId}:${reblogOfId}`;

/**
 * Sends posts and boosts of local accounts: each job reads what is stored now, and sends nothing that is gone. An activity
 * is stored only for its delivery: `DocumentsService` makes the Create of a post and its boosts from the posts themselves.
 */
@Injectable()
export class StatusActivitiesService {
  constructor(
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
    private readonly documents: DocumentsService,
    private readonly readers: DocumentReaders,
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  @Subscribes(StatusCreated, { job: 'federation.send-created', queue: 'federate', when: isOurs })
  async onCreated({ statusId, authorId, reblogOfId }: StatusCreated): Promise<void> {
    if (reblogOfId === null) await this.sendCreated(statusId);
    else await this.sendReblog(statusId, reblogKeyOf(authorId, reblogOfId));
  }

  @Subscribes(StatusDeleted, { job: 'federation.send-deleted', queue: 'federate', when: isOurs })
  async onDeleted(event: StatusDeleted): Promise<void> {
    const { authorId, reblogOfId } = event;
    if (reblogOfId === null) await this.sendDeleted(event);
    else await this.undoReblog(event, reblogOfId, reblogKeyOf(authorId, reblogOfId));
  }

  /** Followers elsewhere see the counts too: now and then, however many vote. Also votes from here change them. */
  @Subscribes(PollVoted, {
    job: 'federation.count-votes',
    queue: 'federate',
    when: ({ targetLocal }: PollVoted) => targetLocal,
  })
  async onVoted({ statusId }: PollVoted): Promise<void> {
    const options = { key: `poll-counts:${statusId}`, runAt: new Date(Date.now() + COUNTS_AFTER_MS) };
    await this.uow.run(() => {
      this.jobs.enqueue(SendPollCounts, { statusId }, options);
    });
  }

  private async sendCreated(statusId: string): Promise<void> {
    await this.forEachVariant(statusId, async (post, { document, audience, suffix }) => {
      const activity = this.outbox.activities.create(document, `${createUri(post.uri)}${suffix}`);
      await this.outbox.send(activity, { accountId: post.authorId, orderingKey: orderingKeyOf(statusId) }, audience);
      await this.requestConsent(statusId, post, document);
      if (audience.relays && post.hasRelayFollowers) await this.announceToRelays(statusId, post);
    });
  }

  @Subscribes(StatusEdited, { job: 'federation.send-edited', queue: 'federate', when: isOurs })
  @Subscribes(QuoteChanged, { job: 'federation.send-quote', queue: 'federate', when: isOurs })
  async sendEdited({ statusId }: StatusEdited | QuoteChanged): Promise<void> {
    await this.sendUpdate(statusId, ({ version }) => String(version), true);
  }

  /** Sends a poll as it ended, also where no count changed since: counts that were hidden until then are in it. */
  @Subscribes(PollClosed, { job: 'federation.send-poll-end', queue: 'federate', when: isOurs })
  async sendPollEnd({ statusId }: PollClosed): Promise<void> {
    await this.sendUpdate(statusId, ({ version }) => `${version}-end`, true);
  }

  /** Sends a poll with its counts; nothing when these were sent before. */
  @Handles(SendPollCounts)
  async sendPollCounts({ statusId }: { statusId: string }): Promise<void> {
    await this.sendUpdate(statusId, ({ poll, version }) => {
      const votes = poll?.options.reduce((sum, option) => sum + option.votesCount, 0) ?? 0;
      return `${version}-${votes}`;
    });
  }

  /**
   * Sends the Delete to the audience, to the followers of accounts that boosted the post, and to the servers of those that boosted,
   * answered or quoted it; and to the servers that fetched it.
   */
  private async sendDeleted(event: StatusDeleted): Promise<void> {
    const { statusId, authorId, uri, visibility, addressedIds, boosterIds, threadAuthorIds, wasPublic } = event;
    const groupId = groupOf(visibility, event.groupId);
    await this.outbox.serialize(orderingKeyOf(statusId), async () => {
      const author = await this.sources.account(authorId);
      if (!author) return;
      const audience = {
        followersOf: FOR_FOLLOWERS.includes(visibility) ? [authorId, ...boosterIds] : [],
        accountIds: [...addressedIds, ...boosterIds, ...threadAuthorIds, ...(groupId === null ? [] : [groupId])],
        shared: true,
        relays: wasPublic || PUBLIC.includes(visibility),
        servers: [...(await this.readers.serversOf(uri)), ...serverOfQuote(event)],
      };
      const group = groupId === null ? undefined : await this.sources.accountUri(groupId);
      const activity = this.outbox.activities.deleteStatus(uri, author.apId, 'Note', group);
      await this.outbox.send(activity, { accountId: authorId, orderingKey: orderingKeyOf(statusId) }, audience);
    });
  }

  /**
   * What pass posts on to everybody, relays and the group of its thread, are told to delete a post that is for followers only
   * from now on. Others get the post as it is ({@link sendEdited}).
   */
  @Subscribes(StatusNarrowed, { job: 'federation.send-narrowed', queue: 'federate', when: isOurs })
  async onNarrowed({ statusId }: StatusNarrowed): Promise<void> {
    const orderingKey = orderingKeyOf(statusId);
    await this.outbox.serialize(orderingKey, async () => {
      const post = await this.sources.post(statusId, true);
      if (!post || PUBLIC_OR_UNLISTED.includes(post.visibility)) return;
      const { uri, author, authorId: accountId, group, groupId, version, wasPublic: relays } = post;
      const activity = this.outbox.activities.deleteStatus(uri, author, 'Note', group ?? undefined, `-${version}`);
      const audience = { accountIds: groupId === null ? [] : [groupId], relays, shared: true };
      await this.outbox.send(activity, { accountId, orderingKey, evenIfDeactivated: true }, audience);
    });
  }

  /** An earlier boost of the post whose end is not sent yet is undone first. */
  private async sendReblog(statusId: string, orderingKey: string): Promise<void> {
    if (!(await this.sources.hasReceivers(statusId))) return;
    await this.outbox.serialize(orderingKey, async () => {
      const reblog = await this.sources.reblog(statusId);
      const addressees = reblog && reblogAddressing(reblog.visibility, reblog.actor, reblog.author);
      if (!reblog || !addressees) return;
      const { uri, actor, actorId: accountId, authorId, statusUri, createdAt: published } = reblog;
      const isOpen = PUBLIC_OR_UNLISTED.includes(reblog.statusVisibility);
      const object = isOpen ? statusUri : await this.embedded(reblog.statusId, accountId);
      if (object === undefined) return;
      const activity = this.outbox.activities.announce(uri, actor, object, { ...addressees, published });
      const options = { accountId, orderingKey, subject: orderingKey };
      const audience = reblogAudience(accountId, authorId, reblog.visibility);
      await this.outbox.undo(options, audience, uri);
      await this.outbox.send(activity, options, audience);
    });
  }

  private async undoReblog(
    { uri, authorId, visibility }: StatusDeleted,
    reblogOfId: string,
    orderingKey: string,
  ): Promise<void> {
    await this.outbox.serialize(orderingKey, async () => {
      const reblogged = await this.sources.authorOf(reblogOfId);
      const audience = reblogAudience(authorId, reblogged ?? authorId, visibility);
      await this.outbox.undoByUri(uri, { accountId: authorId, orderingKey }, audience);
    });
  }

  /** Asks the author of what a post quotes. Of direct posts and those for lists the author learns nothing. */
  private async requestConsent(statusId: string, post: SentStatus, document: Document): Promise<void> {
    const { quoteUri: quoted, quotedAuthor: author, quotedAuthorId: authorId, quoteApproval: approval } = post;
    if (quoted === null || author === null || authorId === null || approval !== null) return;
    if (!FOR_FOLLOWERS.includes(post.visibility)) return;
    const activity = this.outbox.activities.quoteRequest(document, quoted, author);
    const options = { accountId: post.authorId, orderingKey: orderingKeyOf(statusId) };
    await this.outbox.send(activity, options, { accountIds: [authorId], shared: false });
  }

  private async announceToRelays(statusId: string, { uri, createdAt: published }: SentStatus): Promise<void> {
    const actor = relayActorUri(this.env.baseUrl);
    const addressees = { to: [PUBLIC_COLLECTION], cc: [followersOf(actor)], published };
    const activity = this.outbox.activities.announce(`${actor}#announces/${statusId}`, actor, uri, addressees);
    const options = { accountId: null, orderingKey: orderingKeyOf(statusId) };
    await this.outbox.send(activity, options, { relayFollowers: true, shared: false });
  }

  /**
   * Sends a post as it is now; `toHolders` also where it was not sent but is known. Also for a deactivated author: the staff
   * changed the post, or its poll ended before, and nothing sends that when the account is activated.
   */
  private async sendUpdate(
    statusId: string,
    revisionOf: (post: SentStatus) => string,
    toHolders = false,
  ): Promise<void> {
    const send = async (post: SentStatus, { document, audience, suffix }: Variant) => {
      const { to, cc } = document as unknown as { to: string[]; cc: string[] };
      const revision = `${revisionOf(post)}${suffix}`;
      const activity = this.outbox.activities.update(document, post.author, { to, cc }, revision);
      const options = { accountId: post.authorId, orderingKey: orderingKeyOf(statusId), evenIfDeactivated: true };
      const isHeld = toHolders && PUBLIC_OR_UNLISTED.includes(post.visibility);
      const receivers = isHeld ? await this.withHolders(audience, statusId, post.uri) : audience;
      await this.outbox.send(activity, options, receivers);
    };
    await this.forEachVariant(statusId, send, true);
  }

  /** Adds the servers that have a post which everybody may read. */
  private async withHolders(audience: Audience, statusId: string, uri: string): Promise<Audience> {
    const { followersOf = [], accountIds = [], servers = [] } = audience;
    const { boosterIds, referrerIds } = await this.sources.holders(statusId);
    return {
      ...audience,
      followersOf: [...followersOf, ...boosterIds],
      accountIds: [...accountIds, ...boosterIds, ...referrerIds],
      servers: [...servers, ...(await this.readers.serversOf(uri))],
    };
  }

  private async forEachVariant(
    statusId: string,
    send: (post: SentStatus, variant: Variant) => Promise<void>,
    evenIfDeactivated = false,
  ): Promise<void> {
    if (!(await this.sources.hasReceivers(statusId))) return;
    await this.outbox.serialize(orderingKeyOf(statusId), async () => {
      const post = await this.sources.post(statusId, evenIfDeactivated);
      if (!post || LOCAL_ONLY.includes(post.visibility)) return;
      for (const variant of await this.variants(statusId, post)) await send(post, variant);
    });
  }

  /** A post for a list has a form for each server, which names the members there and no others. */
  private async variants(statusId: string, post: SentStatus): Promise<Variant[]> {
    const document = this.documents.noteBody(post);
    const isRelayed =
      PUBLIC.includes(post.visibility) || (post.wasPublic && PUBLIC_OR_UNLISTED.includes(post.visibility));
    const relays = isRelayed && this.settings.get('instance.allow_relay');
    if (!LIST.includes(post.visibility)) return [{ document, audience: { ...audienceOf(post), relays }, suffix: '' }];
    const recipients = await this.sources.recipients(statusId);
    return recipients.map(({ host, ids, uris }) => ({
      document: { ...document, to: [], cc: uris },
      audience: { accountIds: ids, shared: false },
      suffix: `#${host}`,
    }));
  }

  /** A post that only followers may read, boosted by its author. */
  private async embedded(statusId: string, rebloggerId: string): Promise<Document | undefined> {
    const post = await this.sources.post(statusId);
    return post?.authorId === rebloggerId ? this.documents.noteBody(post) : undefined;
  }
}

/** The accounts that `addressing` names. */
function audienceOf(post: SentStatus): Audience {
  const { visibility, authorId, addressedIds, inReplyToAccountId, quotedAuthorId } = post;
  const isOpen = FOR_FOLLOWERS.includes(visibility);
  const answeredId = PUBLIC_OR_UNLISTED.includes(visibility) ? inReplyToAccountId : null;
  const referred = [answeredId, isOpen ? quotedAuthorId : null];
  const others = [...referred, groupOf(visibility, post.groupId)];
  return {
    followersOf: isOpen ? [authorId] : [],
    accountIds: [...addressedIds, ...others.filter((id) => id !== null)],
    servers: serverOfQuote(post),
    shared: PUBLIC_OR_UNLISTED.includes(visibility),
  };
}

/** The server of what a post quotes no more, to which the post was sent. */
function serverOfQuote({
  visibility,
  endedQuoteUri,
}: Pick<SentStatus, 'visibility' | 'endedQuoteUri'>): ReadingServer[] {
  const host = endedQuoteUri && FOR_FOLLOWERS.includes(visibility) ? hostOf(endedQuoteUri) : undefined;
  return host === undefined ? [] : [{ host, inbox: null }];
}

/** The group that gets a post of its thread; see `groupAudience` of `render/note.ts`. */
function groupOf(visibility: number, groupId: string | null | undefined): string | null {
  return PUBLIC_OR_UNLISTED.includes(visibility) ? (groupId ?? null) : null;
}

function reblogAudience(rebloggerId: string, authorId: string, visibility: number): Audience {
  return { followersOf: [rebloggerId], accountIds: [authorId], shared: PUBLIC_OR_UNLISTED.includes(visibility) };
}
