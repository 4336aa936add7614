import { Injectable } from '@nestjs/common';
import { LOCAL, type Origin, type RemoteOrigin, uriOf } from '../../accounts/index.js';
import { Invalid, translateForeignKeyViolation } from '../../common/index.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import { EmojiCache, type ReactionName } from '../../emoji/index.js';
import { MediaUrls } from '../../media/index.js';
import { Events, OwnerLocks, UnitOfWork } from '../../platform/index.js';
import { withPicture, type ReactionRow } from '../rendering/reaction.render.js';
import { type NewReaction, ReactionRepository } from './reaction.repository.js';
import { StatusCounters } from '../counters/status.counters.js';
import { Reacted, Unreacted } from '../model/statuses.events.js';
import { actionOn, type Removal, StatusesService } from '../core/statuses.service.js';

/** The emoji of a remote reaction. A custom emoji is named `shortcode@domain` and has an image. */
export interface RemoteEmoji {
  readonly name: string;
  readonly url?: string;
}

/** Adds, removes and lists reactions (spec §4.2). Repeating an action changes nothing. */
@Injectable()
export class ReactionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
    private readonly statuses: StatusesService,
    private readonly repository: ReactionRepository,
    private readonly counters: StatusCounters,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
  ) {}

  /**
   * Reacts to a post; for a boost, to the boosted post. Returns the id of the post.
   * @throws NotFound, Forbidden when the account may not see the status or interact with it; Invalid unless the text is
   * one emoji or a custom emoji that the account may use there, and when the account has too many reactions
   */
  add(id: string, accountId: string, text: string): Promise<string> {
    return this.react(id, accountId, this.nameOf(text), LOCAL);
  }

  /** Adds the reaction of a remote account: an emoji, or `shortcode@domain` with its image. Throws like {@link add}. */
  addRemote(id: string, accountId: string, emoji: RemoteEmoji, origin: RemoteOrigin): Promise<string> {
    const { url } = emoji;
    const reaction = url === undefined ? this.nameOf(emoji.name) : { name: emoji.name, isOpen: false, url };
    return this.react(id, accountId, reaction, origin);
  }

  private async react(id: string, accountId: string, reaction: NewReaction, origin: Origin): Promise<string> {
    const { name } = reaction;
    const status = await this.statuses.requireInteractable(id, accountId, origin);
    const unit = this.uow.run(async () => {
      const [, isNew] = await Promise.all([
        this.locks.lock('reactions', accountId),
        this.repository.insert(accountId, status.id, { ...reaction, uri: uriOf(origin) }),
      ]);
      if (isNew) {
        this.counters.add(status.id, 'reactions', 1);
        this.events.emit(new Reacted(name, actionOn(status, accountId, origin)));
      } else if (!(await this.repository.has(accountId, status.id, name))) throw new Invalid(REFUSED);
    });
    await translateForeignKeyViolation(unit);
    return status.id;
  }

  /**
   * Removes a reaction, also with a custom emoji that is no longer available.
   * @throws NotFound for a status the account may not see, Invalid for an invalid emoji
   */
  async remove(id: string, accountId: string, text: string, origin: Origin = LOCAL): Promise<Removal> {
    const { name, isOpen } = this.nameOf(text);
    const status = await this.statuses.requireRetractable(id, accountId, origin);
    return this.uow.run(async () => {
      const removed = await this.repository.remove(accountId, status.id, name);
      if (!removed && !isOpen) throw new Invalid(REFUSED);
      if (removed) {
        this.counters.add(status.id, 'reactions', -1);
        this.events.emit(new Unreacted(name, actionOn(status, accountId, origin)));
      }
      return { statusId: status.id, removed };
    });
  }

  /**
   * The reactions to a post with their accounts, in the order of first use; of one emoji if it is given. None while
   * `instance.show_reactions` is off.
   * @throws NotFound for a status the viewer may not see
   */
  async of(id: string, viewerId = '', withMuted = false, text?: string): Promise<ReactionRow[]> {
    const status = await this.statuses.visible(id, viewerId);
    if (!this.settings.get('instance.show_reactions')) return [];
    const name = text === undefined ? null : this.emoji.reactionName(text)?.name;
    if (name === undefined) return [];
    const listed = this.anonymous.listedProfiles(viewerId);
    const rows = await this.repository.ofStatus(status.id, viewerId, withMuted, name, listed);
    return rows.map((row) => withPicture(row, this.emoji, this.urls));
  }

  private nameOf(text: string): ReactionName {
    const name = this.emoji.reactionName(text);
    if (!name) throw new Invalid(REFUSED);
    return name;
  }
}

const REFUSED = 'Could not add reaction emoji';
