import { Get, Header, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  AnythingShape,
  Answers,
  type ApiRequest,
  Describe,
  Summary,
  trustedProxiesOrLoopback,
  clientAddress,
  Input,
  NothingShape,
  OptionalText,
  Public,
  RefusesAsCode,
  RootApi,
} from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import {
  clientCredentials,
  invalidRequest,
  KNOWN_SCOPES,
  type TokenBody,
  TokenShape,
  TokensService,
} from '../../oauth/index.js';
import { CredentialAttempts, isForeign, setSessionCookie } from '../../sign-in/index.js';
import { GRANT_TYPES, GrantsService } from './grants.service.js';

const MAX_LENGTH = 4096;

class ClientBody {
  @Describe('The id of the app, from its registration.')
  @OptionalText({ max: MAX_LENGTH })
  client_id?: string;

  @Describe('The secret of the app, from its registration.')
  @OptionalText({ max: MAX_LENGTH })
  client_secret?: string;
}

class TokenRequestBody extends ClientBody {
  @Describe('How the token is asked for: `authorization_code`, `password`, `refresh_token` or `client_credentials`.')
  @OptionalText({ max: MAX_LENGTH })
  grant_type?: string;

  @Describe('The nickname or the mail address, for a password.')
  @OptionalText({ max: MAX_LENGTH })
  username?: string;

  @Describe('Another name of `username`.')
  @OptionalText({ max: MAX_LENGTH })
  name?: string;

  @Describe('The password of the account.')
  @OptionalText({ max: MAX_LENGTH })
  password?: string;

  @Describe('The refresh token of a former answer.')
  @OptionalText({ max: MAX_LENGTH })
  refresh_token?: string;

  @Describe('The authorization code.')
  @OptionalText({ max: MAX_LENGTH })
  code?: string;

  @Describe('The address of the app to which the code was sent.')
  @OptionalText({ max: MAX_LENGTH })
  redirect_uri?: string;

  @Describe('The verifier that belongs to the challenge of the authorization (RFC 7636).')
  @OptionalText({ max: MAX_LENGTH })
  code_verifier?: string;

  @Describe('The scopes, separated by spaces; absent: those of the app.')
  @OptionalText({ max: MAX_LENGTH })
  scope?: string;

  @Describe('Another name of `scope`.')
  @OptionalText({ max: MAX_LENGTH })
  scopes?: string;
}

class RevokeBody extends ClientBody {
  @Describe('The access or refresh token to revoke.')
  @OptionalText({ max: MAX_LENGTH })
  token?: string;
}

/** The token endpoints of OAuth 2 (RFC 6749, RFC 7009) and their metadata (RFC 8414). */
@RefusesAsCode(invalidRequest)
@RootApi('')
export class OauthController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly grants: GrantsService,
    private readonly tokens: TokensService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary("Creates a token by a code, a password, a refresh token or the app's own credentials.")
  @Post('oauth/token')
  @Public()
  @Header('Cache-Control', 'no-store')
  @Answers(TokenShape)
  async token(
    @Input(TokenRequestBody) input: TokenRequestBody,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenBody> {
    const token = await this.grants.grant({
      grantType: input.grant_type,
      client: clientCredentials(request.headers.authorization, input),
      login: input.username ?? input.name,
      password: input.password,
      refreshToken: input.refresh_token,
      code: input.code,
      redirectUri: input.redirect_uri,
      codeVerifier: input.code_verifier,
      scope: input.scope ?? input.scopes,
      address: this.attempts.addressOf(request),
      caller: clientAddress(request, trustedProxiesOrLoopback(this.env.trustedProxies)),
    });
    // The web client counts on the cookie. Another site must not sign its readers in to another account (threat O19).
    if (input.grant_type === 'password' && !isForeign(request, this.env.baseUrl)) {
      setSessionCookie(response, token, this.env.baseUrl);
    }
    return token;
  }

  @Summary('Revokes a token; returns an empty object in any case (RFC 7009).')
  @Post('oauth/revoke')
  @Public()
  @Header('Cache-Control', 'no-store')
  @Answers(NothingShape)
  async revoke(@Input(RevokeBody) input: RevokeBody, @Req() request: ApiRequest): Promise<object> {
    if (!input.token) throw invalidRequest('token is missing');
    await this.tokens.revoke(input.token, clientCredentials(request.headers.authorization, input));
    return {};
  }

  @Summary('Describes the OAuth endpoints of this server (RFC 8414).')
  @Get('.well-known/oauth-authorization-server')
  @Public()
  @Answers(AnythingShape)
  metadata(): object {
    const { baseUrl } = this.env;
    return {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
      app_registration_endpoint: `${baseUrl}/api/v1/apps`,
      scopes_supported: KNOWN_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      grant_types_supported: GRANT_TYPES,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
  }
}
