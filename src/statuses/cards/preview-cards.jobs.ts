import { Injectable } from '@nestjs/common';
import { Handles, Recurs, Subscribes } from '../../platform/index.js';
import { PreviewCardsService, FetchCard } from './preview-cards.service.js';
import { StatusCreated, StatusEdited } from '../model/statuses.events.js';

const DAILY = 24 * 60;

/** Attaches and fetches cards after posts are written. */
@Injectable()
export class PreviewCardsJobs {
  constructor(private readonly cards: PreviewCardsService) {}

  // Local posts get their card when they are created.
  @Subscribes(StatusCreated, {
    job: 'cards.attach',
    queue: 'fanout',
    when: ({ hasLinks, local }) => hasLinks && !local,
  })
  async onCreated({ statusId, local }: StatusCreated): Promise<void> {
    await this.cards.attach(statusId, local);
  }

  @Subscribes(StatusEdited, { job: 'cards.attach-again', queue: 'fanout' })
  async onEdited({ statusId, local }: StatusEdited): Promise<void> {
    await this.cards.attach(statusId, local);
  }

  @Handles(FetchCard)
  async fetch({ cardId }: { cardId: string }): Promise<void> {
    await this.cards.fetch(cardId);
  }

  @Recurs({ job: 'cards.purge', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.cards.purge();
  }
}
