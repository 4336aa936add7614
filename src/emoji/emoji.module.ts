import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomEmoji } from './custom-emoji.entity.js';
import { CustomEmojiRepository } from './custom-emoji.repository.js';
import { EmojiFilesController } from './emoji-files.controller.js';
import { EmojiPictures } from './emoji-pictures.js';
import { CustomEmojisController, EmojiController } from './emoji.controller.js';
import { KnownEmoji } from './known-emoji.js';
import { PackStore } from './pack.store.js';

/** Custom emoji, for every module above that shows what people wrote. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([CustomEmoji])],
  controllers: [CustomEmojisController, EmojiController, EmojiFilesController],
  providers: [CustomEmojiRepository, EmojiPictures, KnownEmoji, PackStore],
  exports: [KnownEmoji],
})
export class EmojiModule {}
