import { Header, Post, Req } from '@nestjs/common';
import {
  Answers,
  type ApiRequest,
  Describe,
  Input,
  OptionalText,
  Public,
  RootApi,
  Summary,
} from '../../common/index.js';
import { clientCredentials, type TokenBody, TokenShape } from '../../oauth/index.js';
import { CredentialAttempts } from '../../sign-in/index.js';
import { GrantsService } from './grants.service.js';

const MAX_LENGTH = 4096;

class ChallengeBody {
  @Describe('The id of the app, from its registration.')
  @OptionalText({ max: MAX_LENGTH })
  client_id?: string;
  @Describe('The secret of the app, from its registration.')
  @OptionalText({ max: MAX_LENGTH })
  client_secret?: string;
  @Describe('The token that the sign-in with a password returned.')
  @OptionalText({ max: MAX_LENGTH })
  mfa_token?: string;
  @Describe('The kind of the code: `totp` or `recovery`.')
  @OptionalText({ max: MAX_LENGTH })
  challenge_type?: string;
  @Describe('The code of the authenticator app, or a recovery code.')
  @OptionalText({ max: MAX_LENGTH })
  code?: string;
}

/** The second step of a sign-in with a password (spec §3.4). */
@RootApi('oauth/mfa')
export class MfaChallengeController {
  constructor(
    private readonly grants: GrantsService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary('Creates a token by a code of the second factor, after a sign-in with a password.')
  @Post('challenge')
  @Public()
  @Header('Cache-Control', 'no-store')
  @Answers(TokenShape)
  token(@Input(ChallengeBody) input: ChallengeBody, @Req() request: ApiRequest): Promise<TokenBody> {
    return this.grants.grantForCode({
      client: clientCredentials(request.headers.authorization, input),
      token: input.mfa_token,
      type: input.challenge_type,
      code: input.code,
      address: this.attempts.addressOf(request),
    });
  }
}
