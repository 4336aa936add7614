import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccountRow, AccountsService, FollowsService, isActive } from '../../accounts/index.js';
import { textOfHtml, TextWorkers, unique } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  Asker,
  ASKING,
  backoffMs,
  ENV,
  type Env,
  ignoreUnreachable,
  job,
  Jobs,
  OutboundError,
  UnitOfWork,
} from '../../platform/index.js';
import {
  DIRECT,
  type EditResult,
  type FormerVersion,
  type RemoteStatus,
  RemoteStatusesService,
  RemoteStatusLookup,
  type StatusRow,
} from '../../statuses/index.js';
import { picturesAmong } from '../wire/attachments.js';
import { parseFetched, type RemoteObject } from '../wire/object.js';
import { sameHost } from '../wire/uris.js';
import { idOf } from '../wire/values.js';
import { PolicyEffectsService } from '../policy-effects/policy-effects.service.js';
import { PoliciesService } from '../policies/policies.service.js';
import { CollectionReader } from './collection-reader.js';
import { type DatedDocument, DocumentFetcher } from './document-fetcher.js';
import { LateLinksService } from './late-links.service.js';
import { RemoteActors } from './remote-actors.js';
import { descriptionsOf, namedBy, namedIn, remoteStatus, withNamed } from './remote-status.mapper.js';
import { SeenActivitiesRepository } from './seen-activities.repository.js';
import { type Follow, joined, NOTHING, type Referred, type Thread } from './thread.js';

/** Fetches the next post of a thread. */
export const FetchStatuses = job<Thread>('federation.fetch-posts', 'ask');

/** Ancestors that one look-up fetches (threat S10). */
const MAX_ANCESTORS = 50;
/** Posts of a thread, or tries of one, that cannot be fetched in a row: then the rest is given up. */
const MAX_FAILURES = 10;
/** Accounts that one post may make us fetch (threat F17). */
const MAX_FETCHED_ACCOUNTS = 20;
/** Accounts that one post may address. */
const MAX_ADDRESSED = 200;
/** Replies of one post. */
const MAX_REPLIES = 20;

/** An object with its author, ready to be stored. */
export interface Arrived {
  readonly object: RemoteObject;
  readonly author: AccountRow;
  /** Whether it describes a stored post. */
  readonly isStored?: boolean;
}

/** The posts that an object answers and quotes, if they are stored. */
interface Related {
  readonly parent: StatusRow | null;
  readonly quoted: StatusRow | undefined;
}

export interface ResolveOptions {
  readonly follow?: Follow | undefined;
  /** Whether a fetched post is stored; without it every one is. */
  readonly isWanted?: (object: RemoteObject) => Promise<boolean>;
}

/**
 * Finds posts of other servers by their URIs: stored ones, else fetches them with the posts they answer. Fills the port
 * {@link RemoteStatusLookup}.
 */
@Injectable()
export class RemoteStatusFetcher implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly asker: Asker,
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly posts: RemoteStatusesService,
    private readonly fetcher: DocumentFetcher,
    private readonly collections: CollectionReader,
    private readonly actors: RemoteActors,
    private readonly port: RemoteStatusLookup,
    private readonly policies: PoliciesService,
    private readonly effects: PolicyEffectsService,
    private readonly texts: TextWorkers,
    private readonly seen: SeenActivitiesRepository,
    private readonly links: LateLinksService,
  ) {}

  onModuleInit(): void {
    // What is stored is shown while its server is away.
    const resolve = async (address: string) =>
      (await this.lookUp(address).catch(ignoreUnreachable)) ?? this.posts.findByUri(address);
    this.port.use({ resolve });
  }

  /**
   * The post behind an address that a person has ({@link DocumentFetcher.find}), with the text that its server has now.
   * Not inside a unit of work.
   */
  lookUp(address: string, { follow, isWanted }: ResolveOptions = {}): Promise<StatusRow | undefined> {
    return this.asker.bounded(async () => {
      const stored = await this.posts.findByUri(address);
      if (stored?.local || this.isOurs(address)) return stored;
      const arrived = await this.arrived(await this.fetcher.find(address));
      if (!arrived || (isWanted && !(await isWanted(arrived.object)))) return stored;
      const { object, author } = arrived;
      if (!(await this.posts.findByUri(object.id)))
        await this.store(arrived, await this.prepare(object, author, follow));
      else await this.renew(arrived);
      return this.posts.findByUri(object.id);
    });
  }

  /**
   * The post with a URI; undefined when there is none, when it may not be stored, and when it is gone. Not inside a unit
   * of work.
   */
  resolve(uri: string, { follow, isWanted }: ResolveOptions = {}): Promise<StatusRow | undefined> {
    return this.asker.bounded(async () => {
      const stored = await this.posts.findByUri(uri);
      if (stored || this.isOurs(uri))
        return stored && (await this.policies.refusesAuthorOf(stored)) ? undefined : stored;
      const arrived = await this.fetch(uri);
      if (!arrived || (isWanted && !(await isWanted(arrived.object)))) return undefined;
      await this.store(arrived, await this.prepare(arrived.object, arrived.author, follow));
      return this.posts.findByUri(arrived.object.id);
    });
  }

  /**
   * Reads the next collection of a thread or fetches its next post, and plans the rest of it with what that one refers to.
   * What cannot be fetched now is tried again at the end.
   */
  async fetchNext({ uris, collections = [], left = ASKING.requests, failures = 0 }: Thread): Promise<void> {
    const [[uri, ...laterUris], [collection, ...laterCollections]] = [uris, collections];
    const rest: Referred =
      collection === undefined ? { uris: laterUris, collections } : { uris, collections: laterCollections };
    await this.asker.within({ ...ASKING, requests: left }, async () => {
      let found: Referred | undefined;
      const follow: Follow = (referred) => {
        found = joined(found ?? rest, referred);
        this.fetchLater(found);
      };
      try {
        if (collection !== undefined) await this.followReplies(collection, follow);
        else if (uri !== undefined && !(await this.resolve(uri, { follow }))) await this.endQuotes(uri);
        if (!found) await this.uow.run(() => this.fetchLater(rest));
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        if (error.kind === 'unauthorized') return this.uow.run(() => this.fetchLater(rest)); // most such posts stay closed
        const failed = { uris: collection === undefined ? uris.slice(0, 1) : [], collections: collections.slice(0, 1) };
        if (failures < MAX_FAILURES) await this.uow.run(() => this.fetchLater(joined(rest, failed), failures + 1));
      }
    });
  }

  /** A stored post as its own server serves it now; undefined when it serves none. Not inside a unit of work. */
  async current(uri: string): Promise<RemoteStatus | undefined> {
    const arrived = await this.fetch(uri);
    return arrived && this.revised(arrived.object, arrived.author);
  }

  /** Notes that what stored posts quote was deleted, if its server says so. */
  private async endQuotes(uri: string): Promise<void> {
    if (!(await this.posts.isQuoted(uri))) return;
    if ((await this.fetcher.deletionState(uri)) === 'deleted') await this.posts.endQuotes(uri);
  }

  private async followReplies(collection: string, follow: Follow): Promise<void> {
    const { items } = await this.collections.read(collection, MAX_REPLIES);
    await this.uow.run(() => follow({ uris: items.flatMap((item) => idOf(item) ?? []), collections: [] }));
  }

  /** A stored post as an object describes it now; undefined when a policy refuses it. */
  async revised(object: RemoteObject, author: AccountRow): Promise<RemoteStatus | undefined> {
    return this.mapped({ object, author, isStored: true, ...(await this.related(object)) });
  }

  /** The post that an object describes, with its accounts looked up; undefined when a policy refuses it. */
  private async mapped(arrived: Arrived & Related): Promise<RemoteStatus | undefined> {
    const { object, author, parent, quoted } = arrived;
    const accounts = await this.addressed(object, author);
    const refers = {
      parent: parent ? { id: parent.id, authorId: parent.authorId, conversationId: parent.conversationId } : null,
      quoteOfId: quoted?.id ?? null,
      // A consent of this server is known here, and is no other server's to give.
      quoteApproval: object.quoteApproval !== null && this.isOurs(object.quoteApproval) ? null : object.quoteApproval,
      secondsAhead: this.settings.get('activitypub.signature_window').future,
    };
    const post = remoteStatus(object, await this.texts.run('post', object.texts), { author, accounts }, refers);
    return this.filtered(post, arrived);
  }

  private async related({ inReplyTo, quoteUri }: RemoteObject): Promise<Related> {
    const [parent, quoted] = await Promise.all([
      inReplyTo === null ? undefined : this.posts.findByUri(inReplyTo),
      quoteUri === null ? undefined : this.quotable(quoteUri),
    ]);
    return { parent: parent ?? null, quoted };
  }

  /** A new post with its earlier versions, each as the policies leave it. */
  private async withFormer(post: RemoteStatus, arrived: Arrived & Related): Promise<RemoteStatus> {
    const { former: versions } = arrived.object;
    if (versions.length === 0) return post;
    const former: FormerVersion[] = [];
    const bare = { ...post, attachments: [], poll: null };
    for (const { texts, sensitive, emojis, writtenAt } of versions) {
      const version = { ...bare, ...(await this.texts.run('post', texts)), sensitive, emojis };
      const passed = await this.filtered(version, { ...arrived, quoted: undefined });
      if (passed) former.push({ ...passed, writtenAt });
    }
    return { ...post, former };
  }

  /** Stores an edit of a post, with `ifNewer` only a newer one. Plans that a post is fetched that it quotes now. */
  async edit(post: RemoteStatus, options: { readonly ifNewer?: boolean } = {}): Promise<EditResult> {
    const result = await this.posts.edit(post, options);
    if (result === 'edited' && post.quoteUri !== null && post.quoteOfId === null) {
      this.fetchLater({ uris: [post.quoteUri], collections: [] });
      this.links.plan(post);
    }
    return result;
  }

  /** Fetches posts later, in a job of the open unit of work, with what is left of the bounds of this work. */
  fetchLater({ uris, collections }: Referred, failures = 0): void {
    const left = this.asker.left ?? ASKING.requests;
    const wanted = unique(uris.filter((uri) => !this.isOurs(uri))).slice(0, left);
    const wantedCollections = unique(collections).slice(0, left);
    if (wanted.length + wantedCollections.length === 0) return;
    const runAt = failures > 0 ? { runAt: new Date(Date.now() + backoffMs(failures)) } : {};
    // Of all that is wanted, and with the failures: under the key of another job, that one would run again, and not this.
    const asked = { uris: wanted, collections: wantedCollections, failures };
    const options = { key: `thread:${hash('sha256', JSON.stringify(asked))}`, ...runAt };
    this.jobs.enqueue(FetchStatuses, { ...asked, left }, options);
  }

  /**
   * Prepares an object of its author for being stored: fetches and stores the posts it answers. Returns what stores the
   * object itself in a unit of work, and plans that what all of them refer to is fetched, and a parent whose server is away.
   */
  async prepare(
    object: RemoteObject,
    author: AccountRow,
    follow: Follow = (referred) => this.fetchLater(referred),
  ): Promise<() => Promise<void>> {
    const { chain, missed } = await this.fetchAncestors(object);
    let referred = NOTHING;
    for (const ancestor of chain) {
      await this.store(ancestor, await this.storing(ancestor, (found) => (referred = joined(referred, found))));
    }
    return this.storing({ object, author }, (found) => {
      follow(joined(found, referred));
      this.fetchLater({ uris: missed, collections: [] }, 1); // apart from what can be fetched now
    });
  }

  /** Stores what was fetched, unless its author deleted it meanwhile. */
  private async store({ object, author }: Arrived, write: () => Promise<void>): Promise<void> {
    await this.uow.run(async () => {
      if (!(await this.seen.isDeleted(author.id, object.id))) await write();
    });
  }

  /** The ancestors that are not stored, from the root to the nearest; and the one above them that cannot be fetched now. */
  private async fetchAncestors(object: RemoteObject): Promise<{ chain: Arrived[]; missed: string[] }> {
    const chain: Arrived[] = [];
    const missed: string[] = [];
    const seen = new Set([object.id]);
    for (let next = object.inReplyTo; next !== null && !seen.has(next) && chain.length < MAX_ANCESTORS;) {
      seen.add(next);
      if (this.isOurs(next) || (await this.posts.findByUri(next))) break;
      const uri = next;
      const parent = await this.fetch(uri).catch((error: unknown) => {
        ignoreUnreachable(error); // a thread without its beginning is better than none
        missed.push(uri);
      });
      if (!parent) break;
      chain.push(parent);
      next = parent.object.inReplyTo;
    }
    return { chain: chain.reverse(), missed };
  }

  private async storing({ object, author }: Arrived, follow: Follow): Promise<() => Promise<void>> {
    const arrived = { object, author, ...(await this.related(object)) };
    const current = await this.mapped(arrived);
    if (!current) return () => Promise.resolve();
    const post = await this.withFormer(current, arrived);
    return async () => {
      const written = await this.posts.create(post);
      // Another copy was stored meanwhile.
      if (written?.isNew === false && post.editedAt !== null) await this.edit(post, { ifNewer: true });
      if (!written?.isNew) return;
      this.links.plan(post);
      this.effects.plan(this.policies.effects(post, author));
      const quoted = post.quoteUri !== null && post.quoteOfId === null ? [post.quoteUri] : [];
      const collections = object.moreReplies === null ? [] : [object.moreReplies];
      follow({ uris: [...quoted, ...object.replies.slice(0, MAX_REPLIES)], collections });
    };
  }

  /** Stores the newer revision of a stored post, and the counts of its poll. */
  private async renew({ object, author }: Arrived): Promise<void> {
    const post = await this.revised(object, author);
    if (post) await this.uow.run(() => this.edit(post, { ifNewer: true }));
  }

  private async quotable(uri: string): Promise<StatusRow | undefined> {
    const quoted = await this.posts.findByUri(uri);
    return quoted && (await this.policies.refusesAuthorOf(quoted)) ? undefined : quoted;
  }

  /** The post as the policies leave it, sanitised again; undefined when one of them refuses it. */
  private async filtered(
    post: RemoteStatus,
    { object, author, isStored, parent, quoted }: Arrived & Related,
  ): Promise<RemoteStatus | undefined> {
    const facts = {
      ...post,
      type: object.type,
      content: post.html,
      furtherTexts: [...(post.poll?.options ?? []).map(({ title }) => title), ...descriptionsOf(post)],
      hashtags: post.tags,
      hasMedia: post.attachments.length > 0,
      pictures: picturesAmong(post.attachments),
      hasPoll: post.poll !== null,
      expiresAt: null,
      parent,
      quotedAuthorId: quoted?.authorId ?? null,
      mentions: namedIn(post),
    };
    const recipients = namedBy(object, author).filter((uri) => uri !== author.apId);
    const result = await this.policies.post(facts, { author, recipients, isStored });
    if (typeof result === 'string') return undefined;
    const { visibility, content: html, spoiler, sensitive, hashtags: tags, hasMedia, emojis } = result;
    const named = withNamed(post.mentions, result.mentions);
    const mentions = result.isForFollowersOnly ? await this.followersIn(named, author) : named;
    const reachesNobody = DIRECT.includes(visibility) && post.mentions.length > 0 && mentions.length === 0;
    if (reachesNobody) return undefined; // none of its addressees is a follower
    const attachments = hasMedia ? post.attachments : [];
    const passed = { ...post, visibility, html, spoiler, sensitive, tags, mentions, attachments, emojis };
    if (html === post.html) return passed;
    const clean = await this.texts.run('sanitize', html);
    return { ...passed, html: clean, text: textOfHtml(clean) };
  }

  private async followersIn(mentions: RemoteStatus['mentions'], author: AccountRow): Promise<RemoteStatus['mentions']> {
    const ids = mentions.map(({ accountId }) => accountId);
    const followers = await this.follows.followersAmong(author.id, ids);
    return mentions.filter(({ accountId }) => followers.includes(accountId));
  }

  /** Fetches an object and its author. Only posts that their author's server serves under their id count. Not inside a unit of work. */
  async fetch(uri: string): Promise<Arrived | undefined> {
    return this.arrived(await this.fetcher.fetchDated(uri));
  }

  private async arrived(found: DatedDocument | 'gone' | undefined): Promise<Arrived | undefined> {
    const object = parseFetched(found);
    if (!object || object.isVote || !sameHost(object.id, object.attributedTo)) return undefined;
    const author = await this.actors.resolve(object.attributedTo);
    return author && isActive(author) && author.domain !== null ? { object, author } : undefined;
  }

  /** The accounts that an object names or addresses: stored ones, and some that are fetched. */
  private async addressed(
    { mentions, audience, to, cc }: RemoteObject,
    author: AccountRow,
  ): Promise<Map<string, AccountRow>> {
    const named = namedBy({ mentions, audience, to: [], cc: [] }, author);
    const uris = namedBy({ mentions, audience, to, cc }, author).slice(0, MAX_ADDRESSED);
    const known = await this.accounts.byUris(uris);
    const found = new Map(known.map((account) => [account.apId, account]));
    const unknown = named.filter((uri) => !found.has(uri) && !this.isOurs(uri));
    for (const uri of unknown.slice(0, MAX_FETCHED_ACCOUNTS)) {
      const account = await this.actors.resolve(uri).catch(ignoreUnreachable); // a mention that leads nowhere is text
      if (account) found.set(uri, account);
    }
    return found;
  }

  private isOurs(uri: string): boolean {
    return sameHost(uri, this.env.baseUrl);
  }
}
