import { Injectable } from '@nestjs/common';
import { Json, NotFound } from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand } from '../../platform/index.js';
import { pollJson } from '../rendering/poll.render.js';
import type { PollRow } from './poll.repository.js';
import { StatusPrefetch } from '../rendering/status.prefetch.js';

/** Renders a poll on its own (reference Poll), as its post shows it. */
@Injectable()
export class PollView {
  constructor(
    private readonly brand: Brand,
    private readonly prefetch: StatusPrefetch,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
  ) {}

  /** @throws NotFound when it was deleted meanwhile */
  async one({ statusId, authorId }: PollRow, viewerId: string | undefined): Promise<Json> {
    const poll = (await this.prefetch.polls([statusId], viewerId)).get(statusId);
    if (!poll) throw new NotFound();
    const viewer = { isSignedIn: viewerId !== undefined, isAuthor: viewerId === authorId };
    const { svc, ...rest } = pollJson(poll, viewer, this.emoji, this.urls);
    return Json.of({ ...rest, [this.brand.word]: svc });
  }
}
