import { Global, Module } from '@nestjs/common';
import {
  CACHED_OBJECTS,
  type CachedObjects,
  ENV,
  type Env,
  MediaStorage,
  OBJECT_STORE,
  type ObjectStore,
} from '../platform/index.js';
import { CustomEmojiRepository } from './model/custom-emoji.repository.js';
import { EmojiJobs } from './emoji.jobs.js';
import { EmojiFilesController } from './packs/emoji-files.controller.js';
import { EmojiPictures } from './packs/emoji-pictures.js';
import { EmojiStills } from './packs/emoji-stills.js';
import { CustomEmojisController, EmojiController } from './custom/emoji.controller.js';
import { EmojiCache } from './custom/emoji-cache.js';
import { PackArchives } from './packs/pack-archives.js';
import { PackChanges } from './packs/pack-changes.js';
import { PackFetch } from './packs/pack-fetch.js';
import { PackFilesService } from './packs/pack-files.service.js';
import { PackPictures } from './packs/pack-pictures.js';
import { PackTransferService } from './packs/pack-transfer.service.js';
import { ObjectPackStore } from './packs/object-pack.store.js';
import { PackStore } from './packs/pack.store.js';
import { PackView } from './packs/pack.view.js';
import { PackController, PackFilesController, PacksController } from './packs/packs.controller.js';
import { PacksService } from './packs/packs.service.js';

/** Custom emoji, for every later module that renders texts. */
@Global()
@Module({
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
    EmojiJobs,
    EmojiPictures,
    EmojiStills,
    EmojiCache,
    PackArchives,
    PackChanges,
    PackFetch,
    PackFilesService,
    PackPictures,
    {
      provide: PackStore,
      useFactory: (env: Env, storage: MediaStorage, store: ObjectStore | null, cache: CachedObjects | null) =>
        store && cache ? new ObjectPackStore(env, storage, store, cache) : new PackStore(env, storage),
      inject: [ENV, MediaStorage, OBJECT_STORE, CACHED_OBJECTS],
    },
    PacksService,
    PackTransferService,
    PackView,
  ],
  exports: [EmojiCache, PackFilesService, PacksService, PackTransferService],
})
export class EmojiModule {}
