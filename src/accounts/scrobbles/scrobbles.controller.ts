import { Get, Param, Post } from '@nestjs/common';
import {
  Answers,
  CurrentAccount,
  Describe,
  Input,
  IntLike,
  type Json,
  NotFound,
  OneOf,
  OptionalAuth,
  OptionalText,
  type Page,
  PageQuery,
  RateLimit,
  Summary,
  ValidationStatus,
  RequiredText,
  Scopes,
  SvcApi,
  ViewerId,
} from '../../common/index.js';
import { DEFAULT_SCOPES, type DefaultScope } from '../model/account.shape.js';
import { AccountsService } from '../core/accounts.service.js';
import { ScrobbleView } from './scrobble.view.js';
import { ScrobblesService } from './scrobbles.service.js';
import { ScrobbleShape } from './scrobble.shape.js';

const MAX_LENGTH = 1_000;
const MAX_LINK_LENGTH = 2_048;
const MAX_MILLISECONDS = 2_147_483_647;

class ScrobbleBody {
  @Describe('The title of the track.')
  @RequiredText({ max: MAX_LENGTH })
  title: string;
  @Describe('The artist.')
  @OptionalText({ max: MAX_LENGTH })
  artist = '';
  @Describe('The album.')
  @OptionalText({ max: MAX_LENGTH })
  album = '';
  @Describe('The length in milliseconds.')
  @IntLike({ min: 0, max: MAX_MILLISECONDS })
  length = 0;
  @Describe('The address of the track.')
  @OptionalText({ max: MAX_LINK_LENGTH })
  external_link?: string;
  @Describe('The older name of `external_link`.')
  @OptionalText({ max: MAX_LINK_LENGTH })
  externalLink?: string;
  @Describe('Who sees the entry.')
  @OneOf(DEFAULT_SCOPES)
  visibility: DefaultScope = 'public';
}

/** Scrobbles: tracks that accounts listened to (spec §4.2; deprecated). */
@SvcApi('')
export class ScrobblesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly scrobbles: ScrobblesService,
    private readonly view: ScrobbleView,
  ) {}

  @Summary('Adds a track that the caller listened to.', { deprecated: true })
  @Post('scrobble')
  @Scopes('write:scrobbles')
  @RateLimit('statuses_actions:scrobble')
  @ValidationStatus()
  @Answers(ScrobbleShape)
  async add(@CurrentAccount() accountId: string, @Input(ScrobbleBody) input: ScrobbleBody): Promise<Json> {
    const { external_link, externalLink, ...played } = input;
    const row = await this.scrobbles.add(accountId, { ...played, externalLink: external_link ?? externalLink ?? '' });
    const [scrobble] = await this.view.many([row], { viewerId: accountId });
    if (!scrobble) throw new NotFound(); // the account was erased meanwhile
    return scrobble;
  }

  @Summary('Lists the tracks that an account listened to, the latest first.', { deprecated: true })
  @Get('accounts/:id/scrobbles')
  @OptionalAuth('read')
  @Answers([ScrobbleShape])
  async list(
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
    @ViewerId() viewerId?: string,
  ): Promise<Page<Json>> {
    const account = await this.accounts.owner(id, viewerId);
    const page = await this.scrobbles.list(account.id, query, viewerId);
    return page.with(await this.view.many(page.items, { viewerId }));
  }
}
