import { Get, Header } from '@nestjs/common';
import { Answers, ClientApi, type Json, Public, Summary, SvcApi } from '../../common/index.js';
import { CustomEmojiShape, EmojiMapShape } from '../model/emoji.shape.js';
import { EmojiCache } from './emoji-cache.js';

/** Apps ask when they start. A new emoji may appear a few minutes late in a picker. */
const CACHING = 'public, max-age=300';

/** `GET /api/v1/custom_emojis` (reference). */
@ClientApi('v1', 'custom_emojis')
export class CustomEmojisController {
  constructor(private readonly emoji: EmojiCache) {}

  @Summary('Lists the custom emoji of this server.')
  @Get()
  @Public()
  @Header('Cache-Control', CACHING)
  @Answers([CustomEmojiShape])
  list(): Json {
    return this.emoji.list;
  }
}

/** `GET C/emoji` (spec §4.2). */
@SvcApi('emoji')
export class EmojiController {
  constructor(private readonly emoji: EmojiCache) {}

  @Summary('Lists the custom emoji of this server by name.')
  @Get()
  @Public()
  @Header('Cache-Control', CACHING)
  @Answers(EmojiMapShape)
  map(): Json {
    return this.emoji.map;
  }
}
