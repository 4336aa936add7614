import { Delete, Get, Param } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  CurrentAccount,
  DateTime,
  Described,
  Invalid,
  NothingShape,
  RootApi,
  Scopes,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { VapidKeys } from '../../config/index.js';
import { isBigintId } from '../../platform/index.js';
import { type AppBody, appBody, AppShape, AppsService, TokensService } from '../../oauth/index.js';

/** A sign-in of the caller (spec §4.2). */
export const SessionShape = Type.Object(
  {
    id: Described(Type.Integer({ minimum: 1 }), 'The id of the sign-in.'),
    app_name: Described(Type.String(), 'The name of the app.'),
    valid_until: Described(DateTime, 'When its access token expires.'),
  },
  { additionalProperties: false, title: 'Session' },
);

interface SessionBody {
  readonly id: number;
  readonly app_name: string;
  readonly valid_until: string;
}

/** The caller's sign-ins. */
@RootApi('api')
export class SessionsController {
  constructor(private readonly tokens: TokensService) {}

  @Summary("Lists the caller's sign-ins.")
  @Get(['oauth_tokens', 'oauth_tokens.json'])
  @Scopes()
  @Answers([SessionShape])
  async list(@CurrentAccount() accountId: string): Promise<SessionBody[]> {
    const rows = await this.tokens.signInsOf(accountId);
    return rows.map(({ id, appName, expiresAt }) => ({ id: Number(id), app_name: appName, valid_until: expiresAt }));
  }

  @Summary("Ends one of the caller's sign-ins, which may be the current one.")
  @Delete('oauth_tokens/:id')
  @Scopes()
  @Answers(NothingShape)
  async end(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    if (!isBigintId(id)) throw Invalid.plain('Invalid parameters');
    await this.tokens.endOf(accountId, id);
    return {};
  }
}

/** The apps that the caller signed in with. */
@SvcApi('apps')
export class OwnAppsController {
  constructor(
    private readonly apps: AppsService,
    private readonly vapid: VapidKeys,
  ) {}

  @Summary('Lists the apps that the caller signed in with.')
  @Get()
  @Scopes('read')
  @Answers([AppShape])
  async list(@CurrentAccount() accountId: string): Promise<AppBody[]> {
    const [apps, key] = await Promise.all([this.apps.ofAccount(accountId), this.vapid.publicKey()]);
    return apps.map((app) => appBody(app, key));
  }
}
