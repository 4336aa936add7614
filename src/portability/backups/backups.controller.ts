import { Get, Post } from '@nestjs/common';
import { Answers, type Auth, CurrentAccount, CurrentAuth, Scopes, Summary, SvcApi } from '../../common/index.js';
import type { BackupJson } from './backup.shape.js';
import { BackupView } from './backup.view.js';
import { BackupsService } from './backups.service.js';
import { BackupShape } from './backup.shape.js';

/** Archives of the caller's account (spec §4.2). */
@SvcApi('backups')
export class BackupsController {
  constructor(
    private readonly backups: BackupsService,
    private readonly view: BackupView,
  ) {}

  @Summary("Lists the archives of the caller's account, the latest first.")
  @Get()
  @Scopes('read:accounts')
  @Answers([BackupShape])
  async list(@CurrentAccount() accountId: string, @CurrentAuth() { scopes }: Auth): Promise<BackupJson[]> {
    return this.view.many(await this.backups.list(accountId), scopes);
  }

  @Summary("Orders an archive of the caller's account; a job makes it.")
  @Post()
  @Scopes('read:accounts')
  @Answers([BackupShape])
  async request(@CurrentAccount() accountId: string, @CurrentAuth() { scopes }: Auth): Promise<BackupJson[]> {
    return this.view.many([await this.backups.request(accountId)], scopes);
  }
}
