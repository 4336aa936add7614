import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomEmoji } from './custom-emoji.entity.js';
import { CustomEmojiRepository } from './custom-emoji.repository.js';
import { EmojiAnnouncer } from './emoji-announcer.js';
import { EmojiFilesController } from './emoji-files.controller.js';
import { EmojiPictures } from './emoji-pictures.js';
import { EmojiStills } from './emoji-stills.js';
import { CustomEmojisController, EmojiController } from './emoji.controller.js';
import { KnownEmoji } from './known-emoji.js';
import { PackArchives } from './pack-archives.js';
import { PackChanges } from './pack-changes.js';
import { PackFetch } from './pack-fetch.js';
import { PackFiles } from './pack-files.service.js';
import { PackPictures } from './pack-pictures.js';
import { PackTransfer } from './pack-transfer.service.js';
import { PackStore } from './pack.store.js';
import { PackView } from './pack.view.js';
import { PackController, PackFilesController, PacksController } from './packs.controller.js';
import { PacksService } from './packs.service.js';

/** Custom emoji, for every module above that shows what people wrote. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([CustomEmoji])],
  controllers: [
    CustomEmojisController,
    EmojiController,
    PackController,
    PackFilesController,
    PacksController,
    EmojiFilesController,
  ],
  providers: [
    CustomEmojiRepository,
    EmojiAnnouncer,
    EmojiPictures,
    EmojiStills,
    KnownEmoji,
    PackArchives,
    PackChanges,
    PackFetch,
    PackFiles,
    PackPictures,
    PackStore,
    PacksService,
    PackTransfer,
    PackView,
  ],
  exports: [KnownEmoji, PacksService, PackTransfer],
})
export class EmojiModule {}
