import { Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import {
  AcceptsFiles,
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  Json,
  SuccessShape,
  Summary,
  TextShape,
} from '../../common/index.js';
import { CredentialsBody } from './credentials.dto.js';
import { CredentialsShape, ResetLinkShape } from './credentials.shape.js';
import { CredentialsView } from './credentials.view.js';
import { UserAccessService } from './user-access.service.js';
import { NicknameBody, NicknamesBody } from './users.dto.js';

/** `A/users`: how users sign in, and what they set for themselves (spec §2.9, §4.1.1). */
@AdminApi('users')
export class UserAccessController {
  constructor(
    private readonly access: UserAccessService,
    private readonly view: CredentialsView,
  ) {}

  @Summary('Creates a link with which a user sets a new password.')
  @Get(':nickname/password_reset')
  @AdminOnly('admin:write:accounts')
  @Answers(ResetLinkShape)
  async resetLink(@CurrentAuth() actor: Auth, @Param('nickname') nickname: string): Promise<Json> {
    return Json.of(await this.access.resetLink(actor, nickname));
  }

  @Summary('Makes users set a new password before they sign in again.')
  @Patch('force_password_reset')
  @HttpCode(204)
  @AdminOnly('admin:write:accounts')
  async forceReset(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<void> {
    await this.access.forceReset(actor, nicknames);
  }

  @Summary('Switches off the second factor of a user.')
  @Put('disable_mfa')
  @AdminOnly('admin:write:accounts')
  @Answers(TextShape)
  async disableMfa(@CurrentAuth() actor: Auth, @Input(NicknameBody) { nickname }: NicknameBody): Promise<Json> {
    await this.access.disableMfa(actor, nickname);
    return Json.of(nickname);
  }

  @Summary('Shows the profile, the settings and the state of an account.')
  @Get(':nickname/credentials')
  @AdminOnly('admin:read:accounts')
  @Answers(CredentialsShape)
  async credentials(@Param('nickname') nickname: string): Promise<Json> {
    return this.view.one(await this.access.credentials(nickname));
  }

  @Summary('Changes the profile, the settings or the password of an account.')
  @Patch(':nickname/credentials')
  @AdminOnly('admin:write:accounts')
  @AcceptsFiles({ maxBytes: { avatar: 'avatar', banner: 'banner', background: 'background' }, dataUris: true })
  @Answers(SuccessShape)
  async change(
    @CurrentAuth() actor: Auth,
    @Param('nickname') nickname: string,
    @Input(CredentialsBody) input: CredentialsBody,
  ): Promise<Json> {
    await this.access.change(actor, nickname, input.changes());
    return Json.of({ status: 'success' });
  }
}

/** `A/backups`. */
@AdminApi('backups')
export class AdminBackupsController {
  constructor(private readonly access: UserAccessService) {}

  @Summary('Orders an archive of a user; the mail about it goes to the administrator.')
  @Post()
  @AdminOnly('admin:read:accounts')
  @Answers(TextShape)
  async order(@CurrentAuth() actor: Auth, @Input(NicknameBody) { nickname }: NicknameBody): Promise<Json> {
    await this.access.backup(actor, nickname);
    return Json.of('');
  }
}
