import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { Brand } from '../../platform/index.js';
import { cardJson, type PreviewCardRow } from '../rendering/preview-card.render.js';

/** Renders a card on its own. */
@Injectable()
export class PreviewCardView {
  constructor(
    private readonly brand: Brand,
    private readonly urls: MediaUrls,
  ) {}

  /** Renders an empty object when there is no card. */
  orNothing(card: PreviewCardRow | undefined): Json {
    return Json.of(card === undefined ? {} : cardJson(card, this.brand.word, (url) => this.urls.remote(url)));
  }
}
