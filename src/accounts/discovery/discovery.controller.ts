import { Delete, Get, Param } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  NothingShape,
  OptionalAuth,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { AccountsService } from '../core/accounts.service.js';
import { DirectoryService } from './directory.service.js';
import { DirectoryQuery, SuggestionsQuery } from './discovery.dto.js';
import { SuggestionView } from './suggestion.view.js';
import { SuggestionsService } from './suggestions.service.js';
import { AccountShape } from '../model/account.shape.js';
import { SuggestionShape } from './suggestion.view.js';

/** The directory of accounts to follow. */
@ClientApi('v1', '')
export class DiscoveryController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly directory: DirectoryService,
    private readonly suggestions: SuggestionsService,
    private readonly view: AccountView,
  ) {}

  @Summary('Lists accounts that want to be discovered, the most active or the newest first.')
  @Get('directory')
  @OptionalAuth()
  @Answers([AccountShape])
  async list(@Input(DirectoryQuery) query: DirectoryQuery, @ViewerId() viewerId?: string): Promise<Json[]> {
    return this.view.list(await this.directory.page(query, viewerId), { viewerId });
  }

  @Summary('Hides an account from the suggestions to the caller.')
  @Delete('suggestions/:account_id')
  @Scopes('write')
  @Answers(NothingShape)
  async dismiss(@CurrentAccount() me: string, @Param('account_id') id: string): Promise<object> {
    const account = await this.accounts.visible(id, me);
    await this.suggestions.dismiss(me, account.id);
    return {};
  }
}

/** `/api/v2/suggestions`: accounts that the staff suggests. */
@ClientApi('v2', 'suggestions')
export class SuggestionsController {
  constructor(
    private readonly suggestions: SuggestionsService,
    private readonly view: SuggestionView,
  ) {}

  @Summary('Lists accounts that the staff suggests to follow.')
  @Get()
  @Scopes('read')
  @Answers([SuggestionShape])
  async list(@CurrentAccount() me: string, @Input(SuggestionsQuery) { limit }: SuggestionsQuery): Promise<Json[]> {
    return this.view.many(await this.suggestions.list(me, limit), { viewerId: me });
  }
}
