import { Post } from '@nestjs/common';
import {
  AcceptsFiles,
  Answers,
  CurrentAccount,
  Describe,
  Input,
  Invalid,
  Json,
  Scopes,
  Summary,
  SvcApi,
  TextOrFile,
  TextShape,
  UploadedFile,
} from '../../common/index.js';
import type { ImportAction } from './import-list.js';
import { ImportsService } from './imports.service.js';

const LIST_FILES = { maxBytes: { list: 1_048_576 } };

class ImportBody {
  @Describe('The accounts, as a CSV file or as text with one on each line.')
  @TextOrFile()
  list?: string | UploadedFile;
}

/** Imports of account lists (spec §4.2). A job processes an accepted list. */
@SvcApi('')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Summary('Follows the accounts of a list; a job works through it.')
  @Post('follow_import')
  @Scopes('follow', 'write:follows')
  @AcceptsFiles(LIST_FILES)
  @Answers(TextShape)
  follow(@CurrentAccount() accountId: string, @Input(ImportBody) input: ImportBody): Promise<Json> {
    return this.accept(accountId, 'follow', input);
  }

  @Summary('Blocks the accounts of a list; a job works through it.')
  @Post('blocks_import')
  @Scopes('follow', 'write:blocks')
  @AcceptsFiles(LIST_FILES)
  @Answers(TextShape)
  block(@CurrentAccount() accountId: string, @Input(ImportBody) input: ImportBody): Promise<Json> {
    return this.accept(accountId, 'block', input);
  }

  @Summary('Mutes the accounts of a list; a job works through it.')
  @Post('mutes_import')
  @Scopes('follow', 'write:mutes')
  @AcceptsFiles(LIST_FILES)
  @Answers(TextShape)
  mute(@CurrentAccount() accountId: string, @Input(ImportBody) input: ImportBody): Promise<Json> {
    return this.accept(accountId, 'mute', input);
  }

  private async accept(accountId: string, action: ImportAction, { list }: ImportBody): Promise<Json> {
    if (list === undefined) throw new Invalid('list is missing');
    await this.imports.accept(accountId, action, list instanceof UploadedFile ? await list.text() : list);
    return Json.of('job started');
  }
}
