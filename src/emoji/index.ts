export { CustomEmoji } from './model/custom-emoji.entity.js';
export { EMOJI_CHANGED, EmojiChanged } from './model/emoji.events.js';
export { EmojiModule } from './emoji.module.js';
export { type EmojiJson, EmojiShape, type StoredEmoji } from './model/emoji.shape.js';
export { PackTransferService } from './packs/pack-transfer.service.js';
export { PackFilesService } from './packs/pack-files.service.js';
export { MAX_PICTURE_BYTES } from './packs/pack.store.js';
export { type NamedPack, PacksService } from './packs/packs.service.js';
export {
  type EmojiTag,
  EmojiCache,
  emojiPath,
  type ReactionName,
  spokenReaction,
  stillUrl,
  storedEmoji,
} from './custom/emoji-cache.js';
