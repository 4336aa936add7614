import { Post } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, Json, TextShape } from '../common/index.js';
import { PacksService } from '../emoji/index.js';

/** `A/reload_emoji` (spec §4.1.5). */
@AdminApi('reload_emoji')
export class AdminEmojiController {
  constructor(private readonly packs: PacksService) {}

  /** Imports the folder of the packs; every process reloads the emoji. */
  @Post()
  @AdminOnly('admin:write')
  @Answers(TextShape)
  async reload(): Promise<Json> {
    await this.packs.importFromDisk();
    return Json.of('ok');
  }
}
