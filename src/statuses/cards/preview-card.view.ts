import { Inject, Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { cardJson, type PreviewCardRow } from '../rendering/preview-card.render.js';

/** Renders a card on its own. */
@Injectable()
export class PreviewCardView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly urls: MediaUrls,
  ) {}

  /** Renders an empty object when there is no card. */
  orNothing(card: PreviewCardRow | undefined): Json {
    return Json.of(card === undefined ? {} : cardJson(card, this.env.brand, (url) => this.urls.remote(url)));
  }
}
