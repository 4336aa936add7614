import { Get, Post } from '@nestjs/common';
import {
  AcceptsFiles,
  Input,
  Invalid,
  OneOf,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
  TextOrFile,
  UploadedFile,
} from '../../common/index.js';
import { CredentialAttempts } from '../../sign-in/index.js';
import {
  AliasesService,
  BackupsService,
  BackupView,
  type ImportAction,
  ImportsService,
  OwnMoveService,
} from '../../portability/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import type { Said } from './account.pages.js';
import { dataPage, movePage } from './data-pages.js';

const MAX_LENGTH = 2_048;
const LIST_FILES = { maxBytes: { list: 1_048_576 } };

class DataBody {
  @OneOf(['archive', 'import']) op?: 'archive' | 'import';
  @OneOf(['follow', 'block', 'mute']) kind: ImportAction = 'follow';
  @TextOrFile() list?: string | UploadedFile;
}

class MoveBody {
  @OneOf(['add', 'remove', 'move']) op?: 'add' | 'remove' | 'move';
  @OptionalText({ max: MAX_LENGTH }) alias = '';
  @OptionalText({ max: MAX_LENGTH }) target_account = '';
  @OptionalText({ max: MAX_LENGTH }) password = '';
}

/** The pages on which people take their data along, and their account elsewhere. They need no script. */
@RootApi('auth/account')
export class DataPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly attempts: CredentialAttempts,
    private readonly backups: BackupsService,
    private readonly archives: BackupView,
    private readonly imports: ImportsService,
    private readonly aliases: AliasesService,
    private readonly moves: OwnMoveService,
  ) {}

  @Get('data')
  @SignedIn()
  data(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.dataPage(visit));
  }

  @Post('data')
  @SignedIn()
  @AcceptsFiles(LIST_FILES)
  changeData(@Input(DataBody) { op, kind, list = '' }: DataBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const change = async () => {
      const { accountId } = visit.session;
      if (op === undefined) throw new Invalid('op is missing');
      if (op === 'archive') await this.backups.request(accountId);
      else await this.imports.accept(accountId, kind, list instanceof UploadedFile ? await list.text() : list);
      const done = op === 'archive' ? 'account.saved' : 'account.data.import.started';
      return this.dataPage(visit, { notice: visit.t.text(done) });
    };
    return this.pages.submit(visit, change, (alarm) => this.dataPage(visit, { alarm }));
  }

  @Get('move')
  @SignedIn()
  move(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.movePage(visit));
  }

  @Post('move')
  @SignedIn()
  changeMove(
    @Input(MoveBody) { op, alias, target_account: target, password }: MoveBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const change = async () => {
      const { accountId } = visit.session;
      if (op === undefined) throw new Invalid('op is missing');
      if (op === 'add') await this.aliases.add(accountId, alias);
      if (op === 'remove') await this.aliases.remove(accountId, alias);
      const owner = { accountId, password, address: this.attempts.addressOf(visit.request) };
      if (op === 'move') await this.moves.move(owner, target);
      const done = op === 'move' ? 'account.move.started' : 'account.saved';
      return this.movePage(visit, { notice: visit.t.text(done) });
    };
    return this.pages.submit(visit, change, (alarm) => this.movePage(visit, { alarm }));
  }

  private async dataPage({ t, session }: Visit, said: Said = {}): Promise<PageContent> {
    return dataPage(t, session, this.archives.many(await this.backups.list(session.accountId), ['read']), said);
  }

  private async movePage({ t, session }: Visit, said: Said = {}): Promise<PageContent> {
    return movePage(t, session, await this.aliases.list(session.accountId), said);
  }
}
