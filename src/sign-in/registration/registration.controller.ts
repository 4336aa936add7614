import { Header, Post, Req } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  AppAuth,
  type Auth,
  BooleanLike,
  ClientApi,
  CurrentAuth,
  Describe,
  Described,
  firstLanguage,
  Input,
  Invalid,
  OptionalText,
  RateLimit,
  Summary,
  Trimmed,
  Unauthorized,
} from '../../common/index.js';
import { TokenShape } from '../../oauth/index.js';
import { type RegistrationResult, RegistrationService } from './registration.service.js';

/** A long text is a field error like any other; the limit of the body bounds it anyway. */
const ANY_LENGTH = 1_048_576;
const LANGUAGE_COOKIE = 'userLanguage';

/** A token, or the reason why the new account gets none yet (spec §4.3). */
const RegistrationShape = Type.Union([
  TokenShape,
  Type.Object(
    {
      identifier: Described(Type.String(), 'The name of the reason.'),
      message: Described(Type.String(), 'Why the new account gets no token yet.'),
    },
    { additionalProperties: false },
  ),
]);

class RegistrationBody {
  @Describe('The nickname.')
  @OptionalText({ max: ANY_LENGTH })
  username?: string;

  @Describe('The mail address.')
  @OptionalText({ max: ANY_LENGTH })
  @Trimmed()
  email?: string;

  @Describe('The password.')
  @OptionalText({ max: ANY_LENGTH })
  password?: string;

  @Describe('Whether the person agrees to the rules and terms.')
  @BooleanLike()
  agreement = false;

  @Describe('The name that readers see.')
  @OptionalText({ max: ANY_LENGTH })
  fullname?: string;

  @Describe('The text of the profile.')
  @OptionalText({ max: ANY_LENGTH })
  bio?: string;

  @Describe('Why the person wants to join, for the staff.')
  @OptionalText({ max: ANY_LENGTH })
  reason?: string;

  @Describe('The birthday as `YYYY-MM-DD`.')
  @OptionalText({ max: ANY_LENGTH })
  birthday?: string;

  @Describe('The token of the captcha.')
  @OptionalText({ max: ANY_LENGTH })
  captcha_token?: string;

  @Describe('The solution of the captcha.')
  @OptionalText({ max: ANY_LENGTH })
  captcha_solution?: string;

  @Describe('The data that came with the captcha.')
  @OptionalText({ max: ANY_LENGTH })
  captcha_answer_data?: string;

  @Describe('An invite, needed while registration is closed.')
  @OptionalText({ max: ANY_LENGTH })
  token?: string;

  @Describe('The language, as a tag such as `en`.')
  @OptionalText({ max: ANY_LENGTH })
  language?: string;

  @Describe('Another name of `language`.')
  @OptionalText({ max: ANY_LENGTH })
  locale?: string;
}

/** Registration from within an app (spec §4.3). */
@ClientApi('v1', 'accounts')
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  @Summary('Creates an account, and returns its token or what has to happen first.')
  @Post()
  @AppAuth('write:accounts')
  @RateLimit('app_account_creation')
  @Header('Cache-Control', 'no-store')
  @Answers(RegistrationShape)
  register(
    @Input(RegistrationBody) input: RegistrationBody,
    @CurrentAuth() auth: Auth | undefined,
    @Req() request: ApiRequest,
  ): Promise<RegistrationResult> {
    if (!auth?.appId) throw new Unauthorized();
    if (input.username === undefined && input.password === undefined) throw new Invalid('Missing parameters');
    return this.registrations.register(auth.appId, {
      username: input.username ?? '',
      email: input.email || undefined,
      password: input.password ?? '',
      agreement: input.agreement,
      displayName: input.fullname,
      bio: input.bio,
      reason: input.reason,
      birthday: input.birthday || undefined,
      captcha: {
        token: input.captcha_token,
        solution: input.captcha_solution,
        answerData: input.captcha_answer_data,
      },
      invite: input.token || undefined,
      language: firstLanguage([
        input.language,
        input.locale,
        parseCookie(request.headers.cookie ?? '')[LANGUAGE_COOKIE],
        ...request.acceptsLanguages(),
      ]),
    });
  }
}
