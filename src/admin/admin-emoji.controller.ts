import { Post } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, type Auth, CurrentAuth, Json, Summary, TextShape } from '../common/index.js';
import { PacksService } from '../emoji/index.js';
import { UnitOfWork } from '../platform/index.js';
import { ModerationLogService } from './log/moderation-log.service.js';

/** `A/reload_emoji` (spec §4.1.5). */
@AdminApi('reload_emoji')
export class AdminEmojiController {
  constructor(
    private readonly packs: PacksService,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
  ) {}

  @Summary('Imports the packs of custom emoji from disk, and reloads all emoji.')
  @Post()
  @AdminOnly('admin:write')
  @Answers(TextShape)
  async reload(@CurrentAuth() actor: Auth): Promise<Json> {
    await this.packs.importFromDisk();
    await this.uow.run(() => this.log.record(actor, 'reload_emoji', []));
    return Json.of('ok');
  }
}
