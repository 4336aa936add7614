import { Get, Header, Post } from '@nestjs/common';
import {
  Answers,
  AnyToken,
  type Auth,
  ClientApi,
  CurrentAuth,
  Describe,
  EmptyToNull,
  Input,
  Public,
  RateLimit,
  RequiredText,
  Summary,
  TextList,
  Unauthorized,
} from '../../common/index.js';
import { VapidKeys } from '../../config/index.js';
import { type AppBody, AppShape, type RegisteredAppBody, RegisteredAppShape } from './app.shape.js';
import { appBody, registeredAppBody } from './app.view.js';
import { AppsService } from './apps.service.js';

class RegisterAppBody {
  @Describe('The name of the app.')
  @RequiredText({ max: 255 })
  client_name: string;

  @Describe('The addresses to which codes may be sent, or `urn:ietf:wg:oauth:2.0:oob` to show them.')
  @TextList({ max: 50, maxLength: 10_000 })
  redirect_uris?: string[];

  @Describe('The scopes that the app may ask for; absent: `read`.')
  @TextList({ max: 100, maxLength: 4096 })
  scopes: string[] = [];

  @Describe("The address of the app's own page.")
  @EmptyToNull({ max: 2000 })
  website: string | null = null;
}

/** Registration of apps (spec §4.3). */
@ClientApi('v1', 'apps')
export class AppsController {
  constructor(
    private readonly apps: AppsService,
    private readonly vapid: VapidKeys,
  ) {}

  @Summary('Registers an app.')
  @Post()
  @Public()
  @RateLimit('app_account_creation')
  @Header('Cache-Control', 'no-store')
  @Answers(RegisteredAppShape)
  async register(@Input(RegisterAppBody) input: RegisterAppBody): Promise<RegisteredAppBody> {
    const app = await this.apps.register({
      name: input.client_name,
      redirectUris: input.redirect_uris,
      scopes: input.scopes,
      website: input.website,
    });
    return registeredAppBody(app, await this.vapid.publicKey());
  }

  /** Accepts every token, because a missing scope is answered with 401 here. */
  @Summary('Shows the app of the token.')
  @Get('verify_credentials')
  @AnyToken()
  @Answers(AppShape)
  async verifyCredentials(@CurrentAuth() auth: Auth | undefined): Promise<AppBody> {
    if (!auth) throw new Unauthorized();
    return appBody(await this.apps.ofToken(auth), await this.vapid.publicKey());
  }
}
