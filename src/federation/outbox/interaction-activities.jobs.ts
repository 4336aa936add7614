import { Injectable } from '@nestjs/common';
import { Subscribes } from '../../platform/index.js';
import {
  Favourited,
  PollVoted,
  PUBLIC_OR_UNLISTED,
  QuoteRevoked,
  Reacted,
  type StatusAction,
  StatusPinned,
  StatusUnpinned,
  Unfavourited,
  Unreacted,
} from '../../statuses/index.js';
import { InteractionActivitiesService } from './interaction-activities.service.js';
import { QuoteActivitiesService } from './quote-activities.service.js';

/** A local account did something to a remote post. */
const goesOut = ({ actorLocal, targetLocal }: StatusAction) => actorLocal && !targetLocal;
/** The collection of featured posts has public and unlisted posts only. */
const isFeatured = ({ local, visibility }: StatusPinned) => local && PUBLIC_OR_UNLISTED.includes(visibility);

/** Tells other servers what local accounts do to posts. */
@Injectable()
export class InteractionActivitiesJobs {
  constructor(
    private readonly interactions: InteractionActivitiesService,
    private readonly quotes: QuoteActivitiesService,
  ) {}

  @Subscribes(Favourited, { job: 'federation.send-like', queue: 'federate', when: goesOut })
  async onFavourited(event: Favourited): Promise<void> {
    await this.interactions.sendLike(event);
  }

  @Subscribes(Unfavourited, { job: 'federation.undo-like', queue: 'federate', when: goesOut })
  async onUnfavourited(event: Unfavourited): Promise<void> {
    await this.interactions.sendLike(event);
  }

  @Subscribes(Reacted, { job: 'federation.send-reaction', queue: 'federate', when: goesOut })
  async onReacted(event: Reacted): Promise<void> {
    await this.interactions.sendReaction(event, event.emoji);
  }

  @Subscribes(Unreacted, { job: 'federation.undo-reaction', queue: 'federate', when: goesOut })
  async onUnreacted(event: Unreacted): Promise<void> {
    await this.interactions.sendReaction(event, event.emoji);
  }

  @Subscribes(PollVoted, { job: 'federation.send-vote', queue: 'federate', when: goesOut })
  async onVoted(event: PollVoted): Promise<void> {
    await this.interactions.sendVotes(event);
  }

  @Subscribes(QuoteRevoked, { job: 'federation.revoke-quote', queue: 'federate' })
  async onQuoteRevoked(event: QuoteRevoked): Promise<void> {
    await this.quotes.sendRevoked(event);
  }

  @Subscribes(StatusPinned, { job: 'federation.send-pin', queue: 'federate', when: isFeatured })
  async onPinned(event: StatusPinned): Promise<void> {
    await this.interactions.sendPin(event);
  }

  @Subscribes(StatusUnpinned, { job: 'federation.send-unpin', queue: 'federate', when: isFeatured })
  async onUnpinned(event: StatusUnpinned): Promise<void> {
    await this.interactions.sendPin(event);
  }
}
