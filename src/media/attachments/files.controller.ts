import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Input, NotFound, OptionalText, Public, RootApi } from '../../common/index.js';
import { MediaStorage, isStorageKey, mediaTypeOfName } from '../../platform/index.js';
import { FileOwners } from '../files/file-owners.port.js';
import { fileHeaders } from '../files/file-headers.js';
import { ReportedFiles } from '../files/reported-files.port.js';
import { sendStoredFile } from '../files/send-stored-file.js';

/** The folder of account archives in older releases. Its files are not public (threat P11). */
export const FORMER_ARCHIVES = 'backups';

/** The longest request target. */
const ANY_LENGTH = 16_384;
class FileQuery {
  /** The name under which a browser saves the file. */
  @OptionalText({ max: ANY_LENGTH }) name = '';
}

/** Uploaded files, for every caller that knows their names; those of hidden accounts for the staff, if they are reported. */
@RootApi('media')
export class FilesController {
  constructor(
    private readonly storage: MediaStorage,
    private readonly owners: FileOwners,
    private readonly reported: ReportedFiles,
  ) {}

  @Get('*path')
  @Public()
  async show(@Req() request: Request, @Res() response: Response, @Input(FileQuery) { name }: FileQuery): Promise<void> {
    const key = keyIn(request);
    if (!isStorageKey(key) || key.startsWith(`${FORMER_ARCHIVES}/`)) throw new NotFound('Not found');
    const standing = await this.owners.standingOf({ key });
    if (standing === 'hidden' && !(await this.reported.mayShow(key, request))) throw new NotFound('Not found');
    const headers = { ...fileHeaders(mediaTypeOfName(key), name, standing), ETag: `"${key}"` };
    await sendStoredFile(this.storage, key, headers, request, response);
  }
}

/** The path below the controller, decoded by segment. */
function keyIn({ params }: Request): string {
  const { path } = params;
  return Array.isArray(path) ? path.join('/') : (path ?? '');
}
