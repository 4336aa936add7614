import { Inject, Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { cardJson, type PreviewCardRow } from '../rendering/preview-card.render.js';

/** Renders the card of a post by itself. */
@Injectable()
export class PreviewCardView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly urls: MediaUrls,
  ) {}

  /** An empty object where there is no card. */
  orNothing(card: PreviewCardRow | undefined): Json {
    return Json.of(card === undefined ? {} : cardJson(card, this.env.brand, (url) => this.urls.remote(url)));
  }
}
