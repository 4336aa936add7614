export { CustomEmoji } from './custom-emoji.entity.js';
export { EMOJI_CHANGED, EmojiChanged } from './emoji.events.js';
export { EmojiModule } from './emoji.module.js';
export { type EmojiJson, EmojiShape, type StoredEmoji } from './emoji.shape.js';
export { PackTransfer } from './pack-transfer.service.js';
export { PacksService } from './packs.service.js';
export { type EmojiTag, KnownEmoji, type ReactionName, spokenReaction, stillUrl, storedEmoji } from './known-emoji.js';
