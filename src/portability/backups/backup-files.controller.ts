import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public, RootApi } from '../../common/index.js';
import { sendStoredFile } from '../../media/index.js';
import { Brand } from '../../platform/index.js';
import { ArchiveStorage } from './archive-storage.js';
import { BackupsService } from './backups.service.js';

/** The archives, at secret addresses that only their owners get. */
@RootApi('backups')
export class BackupFilesController {
  constructor(
    private readonly brand: Brand,
    private readonly backups: BackupsService,
    private readonly storage: ArchiveStorage,
  ) {}

  @Get(':id/:secret')
  @Public()
  async download(
    @Param('id') id: string,
    @Param('secret') secret: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { fileKey: key, nickname, insertedAt } = await this.backups.opened(id, secret);
    const name = `${this.brand.word}-${nickname}-${insertedAt.slice(0, 10)}.zip`;
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "sandbox; default-src 'none'; form-action 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
      ETag: `"${id}"`,
    };
    await sendStoredFile(this.storage, key, headers, request, response);
  }
}
