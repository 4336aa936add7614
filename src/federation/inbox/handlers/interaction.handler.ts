import { Injectable } from '@nestjs/common';
import { type AccountRow, FollowsService, isProgram, type RemoteOrigin } from '../../../accounts/index.js';
import { Invalid } from '../../../common/index.js';
import {
  type GivenRow,
  type ReblogVisibility,
  InteractionsService,
  PinsService,
  ReactionsService,
  RemoteStatusesService,
  type RemoteEmoji,
  StatusesService,
  type StatusRow,
} from '../../../statuses/index.js';
import { RemoteActors } from '../../fetch/remote-actors.js';
import { RemoteStatusFetcher } from '../../fetch/remote-status-fetcher.js';
import { PoliciesService } from '../../policies/policies.service.js';
import { type Activity, announcedStatus, featuredStatus, misskeyEmoji } from '../../wire/activity.js';
import { parseObject, type RemoteObject } from '../../wire/object.js';
import { parseEmojiTags } from '../../wire/tags.js';
import { PUBLIC, sameHost } from '../../wire/uris.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

const UNKNOWN = 'The post is not known here';
/** What a Like of Misskey and its forks says when it is a plain Like. */
const HEARTS = ['❤', '❤️'];

/** Like, EmojiReact, Announce and their Undo, and Dislike; Add and Remove of featured posts. */
@Injectable()
export class InteractionHandler implements InboxHandler {
  readonly types = [
    'Like',
    'Dislike',
    'EmojiReact',
    'Announce',
    'Undo Like',
    'Undo EmojiReact',
    'Undo Announce',
    'Add',
    'Remove',
  ];

  constructor(
    private readonly follows: FollowsService,
    private readonly statuses: StatusesService,
    private readonly interactions: InteractionsService,
    private readonly reactions: ReactionsService,
    private readonly pins: PinsService,
    private readonly stored: RemoteStatusesService,
    private readonly posts: RemoteStatusFetcher,
    private readonly actors: RemoteActors,
    private readonly policies: PoliciesService,
  ) {}

  async prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    switch (activity.type) {
      case 'Announce':
        return this.announce(activity, actor);
      case 'Undo':
        return this.undo(activity, actor);
      case 'Add':
      case 'Remove':
        return this.feature(activity, actor);
      default:
        return this.react(activity, actor);
    }
  }

  private async react(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const status = await this.stored.findByUri(activity.object.uri);
    if (!status) return ignored(UNKNOWN);
    const origin: RemoteOrigin = { kind: 'remote', uri: activity.id };
    // Servers with votes send no Undo of the Like that it replaces.
    if (activity.type === 'Dislike') return effect(() => this.interactions.unfavourite(status.id, actor.id, origin));
    const emoji = emojiOf(activity, actor);
    const favourite = () => this.interactions.favourite(status.id, actor.id, origin);
    if (!emoji) return effect(favourite);
    const react = () => this.reactions.addRemote(status.id, actor.id, emoji, origin);
    return effect(() => (activity.type === 'Like' ? unlessInvalid(react, favourite) : react()));
  }

  private async announce(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const uri = announcedStatus(activity);
    if (uri === undefined) return ignored('It announces no post');
    const known = await this.stored.findByUri(uri);
    const refusal = await this.refusalOfReblog(known, actor);
    if (refusal !== undefined) return ignored(refusal);
    const isPassedOn = await this.passesOn(actor);
    const facts = { uri: activity.id, publishedAt: activity.published ?? new Date() };
    const origin = { ...facts, isPassedOn, isStated: known === undefined };
    const reblog = ({ id }: StatusRow) => this.interactions.reblog(id, actor.id, reblogVisibility(activity), origin);
    const own = known ? undefined : ownStatus(activity, actor);
    if (own) return this.announceOwn(own, actor, reblog);
    const status = known ?? (await this.posts.resolve(uri));
    if (!status) return ignored(UNKNOWN);
    // Groups pass on whole threads: what answers another post is stored there.
    const isOnlyStored = status.isAnswer && (isGroup(actor) || activity.object.uri !== uri);
    return effect(() => (isOnlyStored ? Promise.resolve() : reblog(status)));
  }

  /** Whether boosts of an account are no praise: those of groups, and of programs that nobody here follows, such as relays. */
  private async passesOn(actor: AccountRow): Promise<boolean> {
    return isGroup(actor) || (isProgram(actor) && !(await this.follows.hasLocalFollowers(actor.id)));
  }

  private async refusalOfReblog(known: StatusRow | undefined, reblogger: AccountRow): Promise<string | undefined> {
    if (known && (await this.policies.refusesAuthorOf(known))) return 'The author of the post is refused';
    const concernsUs = known?.local === true || (await this.follows.hasLocalFollowers(reblogger.id));
    return concernsUs ? undefined : 'It concerns no account of this server';
  }

  /** A post of the booster itself comes with its boost: nobody else gets one for followers from its server. */
  private async announceOwn(
    own: RemoteObject,
    actor: AccountRow,
    reblog: (status: StatusRow) => Promise<string>,
  ): Promise<Prepared> {
    const store = await this.posts.prepare(own, actor);
    return effect(async () => {
      await store();
      const status = await this.stored.findByUri(own.id);
      if (status) await reblog(status);
    });
  }

  private async undo({ object }: Activity, actor: AccountRow): Promise<Prepared> {
    const undone = object.activity;
    if (!undone) return this.undoById(object.uri, actor);
    const status = await this.stored.findByUri(undone.object.uri);
    if (!status) return ignored(UNKNOWN);
    return effect(() => this.undoEffect(undone, status, actor));
  }

  /** What is undone by its id alone; {@link FollowHandler} does that for follows and blocks. */
  private async undoById(uri: string, actor: AccountRow): Promise<Prepared> {
    const reblog = await this.stored.findReblogByUri(uri);
    if (reblog?.authorId === actor.id) return effect(() => this.statuses.removeReblog(reblog.reblogOfId, actor.id));
    const given = await this.interactions.findGiven(uri, actor.id);
    return given ? effect(() => this.undoGiven(given, uri, actor)) : ignored('It undoes nothing of its actor');
  }

  private async undoGiven({ statusId, name }: GivenRow, uri: string, actor: AccountRow): Promise<boolean> {
    const origin: RemoteOrigin = { kind: 'remote', uri };
    const { removed } =
      name === null
        ? await this.interactions.unfavourite(statusId, actor.id, origin)
        : await this.reactions.remove(statusId, actor.id, name, origin);
    return removed;
  }

  /** What an activity says when it is undone may differ from what it said first: its server may have removed the emoji. */
  private async undoEffect(undone: Activity, status: StatusRow, actor: AccountRow): Promise<boolean> {
    if (undone.type === 'Announce') return this.statuses.removeReblog(status.id, actor.id);
    const given = await this.interactions.findGiven(undone.id, actor.id);
    if (given) return this.undoGiven(given, undone.id, actor);
    const origin: RemoteOrigin = { kind: 'remote', uri: undone.id };
    const emoji = emojiOf(undone, actor);
    const unfavourite = async () => (await this.interactions.unfavourite(status.id, actor.id, origin)).removed;
    if (!emoji) return unfavourite();
    const unreact = async () => (await this.reactions.remove(status.id, actor.id, emoji.name, origin)).removed;
    if (undone.type !== 'Like') return unreact();
    const wasReaction = await unlessInvalid(unreact, () => Promise.resolve(false));
    return wasReaction || unfavourite();
  }

  private async feature({ type, object, targetUri }: Activity, actor: AccountRow): Promise<Prepared> {
    const uri = featuredStatus(object.json ?? object.uri);
    if (uri === undefined || targetUri === null || !sameHost(targetUri, actor.apId))
      return ignored('It is about no featured post');
    const stored = await this.stored.findByUri(uri);
    if (stored ? stored.authorId !== actor.id : type === 'Remove') return ignored(UNKNOWN);
    // The actor is asked about another collection for a post that is stored here, or while none of its collections is known.
    const mayAsk = stored !== undefined || actor.featuredUrl === null;
    const featuredUrl = mayAsk ? await this.featuredUrl(actor, targetUri) : actor.featuredUrl;
    if (targetUri !== featuredUrl) return ignored('It is about another collection');
    if (stored && type === 'Remove')
      return effect(() => this.pins.unpin(stored.id, actor.id, { kind: 'remote', uri: null }));
    return this.pin(uri, actor);
  }

  private async pin(uri: string, actor: AccountRow): Promise<Prepared> {
    const status = await this.posts.resolve(uri);
    return status?.authorId === actor.id ? effect(() => this.pins.pin(status.id, actor.id)) : ignored(UNKNOWN);
  }

  /** The featured collection of the actor, which is asked again when another is named: it may have got one since. */
  private async featuredUrl({ apId: uri, featuredUrl: known }: AccountRow, named: string): Promise<string | null> {
    if (named === known) return known;
    const account = await this.actors.refresh(uri, { anew: true });
    return account === 'gone' || account === undefined ? known : account.featuredUrl;
  }
}

/** The post that an Announce embeds, if its booster wrote it: then the signature is that of the author. */
function ownStatus({ object }: Activity, { apId }: AccountRow): RemoteObject | undefined {
  const post = parseObject(object.json);
  return post?.attributedTo === apId && !post.isVote ? post : undefined;
}

/** A Like with an emoji that nobody here could see is a plain one. */
async function unlessInvalid<T>(react: () => Promise<T>, plain: () => Promise<T>): Promise<T> {
  try {
    return await react();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return plain();
  }
}

/** The emoji of a reaction; undefined for a plain Like. Custom ones are named with their server. */
function emojiOf({ type, content, tag, raw }: Activity, { domain }: AccountRow): RemoteEmoji | undefined {
  const emoji = misskeyEmoji(raw) ?? content;
  if (emoji === null || (type !== 'EmojiReact' && HEARTS.includes(emoji))) return undefined;
  const name = /^:([^:@\s]+)(?:@[^:\s]*)?:$/.exec(emoji)?.[1];
  if (name === undefined) return { name: emoji };
  const url = parseEmojiTags(tag).find(({ shortcode }) => shortcode === name)?.url;
  return url === undefined ? { name: emoji } : { name: `${name}@${domain ?? ''}`, url };
}

function reblogVisibility({ to, cc }: Activity): ReblogVisibility {
  if (to.includes(PUBLIC)) return 'public';
  return cc.includes(PUBLIC) ? 'unlisted' : 'private';
}

const isGroup = ({ actorType: type }: AccountRow): boolean => type === 'Group';
