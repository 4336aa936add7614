import { Delete, Get, Post } from '@nestjs/common';
import { ClientApi, CurrentAccount, Input, type Json, type Page, PageQuery, Scopes } from '../common/index.js';
import { AccountView } from './account.view.js';
import { DomainDto, RelatedAccountsDto } from './accounts.dto.js';
import { DomainBlocksService } from './domain-blocks.service.js';
import { RelatedAccounts } from './related.service.js';

/** Whom the caller blocks and mutes, and which servers; pages go by when, which only the Link header tells. */
@ClientApi('v1', '')
export class RelatedController {
  constructor(
    private readonly related: RelatedAccounts,
    private readonly domains: DomainBlocksService,
    private readonly view: AccountView,
  ) {}

  @Get('blocks')
  @Scopes('follow', 'read:blocks')
  async blocks(
    @CurrentAccount() me: string,
    @Input(RelatedAccountsDto) query: RelatedAccountsDto,
  ): Promise<Page<Json>> {
    return this.view.page(await this.related.blocked(me, query), contextOf(me, query));
  }

  @Get('mutes')
  @Scopes('follow', 'read:mutes')
  async mutes(@CurrentAccount() me: string, @Input(RelatedAccountsDto) query: RelatedAccountsDto): Promise<Page<Json>> {
    const page = await this.related.muted(me, query);
    return this.view.page(page, contextOf(me, query), ({ mute_expires_at }) => ({ mute_expires_at }));
  }

  @Get('endorsements')
  @Scopes('read:accounts')
  async endorsements(
    @CurrentAccount() me: string,
    @Input(RelatedAccountsDto) query: RelatedAccountsDto,
  ): Promise<Page<Json>> {
    return this.view.page(await this.related.endorsed(me, query), contextOf(me, query));
  }

  @Get('domain_blocks')
  @Scopes('follow', 'read:blocks')
  blockedDomains(@CurrentAccount() me: string, @Input(PageQuery) query: PageQuery): Promise<Page<string>> {
    return this.domains.list(me, query);
  }

  @Post('domain_blocks')
  @Scopes('follow', 'write:blocks')
  async blockDomain(@CurrentAccount() me: string, @Input(DomainDto) { domain }: DomainDto): Promise<object> {
    await this.domains.block(me, domain);
    return {};
  }

  @Delete('domain_blocks')
  @Scopes('follow', 'write:blocks')
  async unblockDomain(@CurrentAccount() me: string, @Input(DomainDto) { domain }: DomainDto): Promise<object> {
    await this.domains.unblock(me, domain);
    return {};
  }
}

function contextOf(viewerId: string, { with_relationships }: RelatedAccountsDto) {
  return { viewerId, withRelationships: with_relationships };
}
