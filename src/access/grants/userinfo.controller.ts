import { Get, Header, HttpCode, Post } from '@nestjs/common';
import type { Static } from 'typebox';
import { AccountView, UserinfoShape } from '../../accounts/index.js';
import { Answers, CurrentAccount, RootApi, Scopes, Summary } from '../../common/index.js';

/** Who the caller is, for sign-ins to other sites (reference). There are no id tokens: the server knows no `openid`. */
@RootApi('oauth/userinfo')
export class UserinfoController {
  constructor(private readonly view: AccountView) {}

  @Summary("Shows the caller's identity, for a sign-in to another site.")
  @Get()
  @Scopes('profile', 'read:accounts')
  @Header('Cache-Control', 'no-store')
  @Answers(UserinfoShape)
  show(@CurrentAccount() accountId: string): Promise<Static<typeof UserinfoShape>> {
    return this.view.userinfo(accountId);
  }

  @Summary("Shows the caller's identity, like the request with GET.")
  @Post()
  @Scopes('profile', 'read:accounts')
  @Header('Cache-Control', 'no-store')
  @HttpCode(200)
  @Answers(UserinfoShape)
  showByPost(@CurrentAccount() accountId: string): Promise<Static<typeof UserinfoShape>> {
    return this.view.userinfo(accountId);
  }
}
