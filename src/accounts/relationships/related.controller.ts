import { Delete, Get, Post } from '@nestjs/common';
import { type Static, Type } from 'typebox';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Described,
  Input,
  type Json,
  NothingShape,
  type Page,
  PageQuery,
  Summary,
  ValidationStatus,
  Scopes,
  TextShape,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { DomainBody, RelatedAccountsQuery } from './relationships.dto.js';
import { DomainBlocksService } from './domain-blocks.service.js';
import { RelatedAccountsService } from './related.service.js';
import { AccountShape, BlockedAccountShape, MutedAccountShape } from '../model/account.shape.js';

const Count = Type.Integer({ minimum: 0 });

/** What both numbers read: `MOST_COUNTED` in `server-follows.repository.ts`. */
const WITHIN_BOUNDS =
  'Exact up to 10,000 follows, or for up to 10,000 known accounts of the domain; else it may be too low.';
/** The follows that a block of a server would end (reference DomainBlockPreview). */
const DomainBlockPreviewShape = Type.Object(
  {
    following_count: Described(Count, `The number of accounts of the domain that the caller follows. ${WITHIN_BOUNDS}`),
    followers_count: Described(Count, `The number of followers of the caller from the domain. ${WITHIN_BOUNDS}`),
  },
  { additionalProperties: false, title: 'DomainBlockPreview' },
);

/** The caller's blocks, mutes and blocked domains, ordered by time; only the Link header carries the cursors. */
@ClientApi('v1', '')
export class RelatedController {
  constructor(
    private readonly related: RelatedAccountsService,
    private readonly domains: DomainBlocksService,
    private readonly view: AccountView,
  ) {}

  @Summary('Lists the accounts that the caller blocks, the latest block first.')
  @Get('blocks')
  @Scopes('follow', 'read:blocks')
  @Answers([BlockedAccountShape])
  async blocks(
    @CurrentAccount() me: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
  ): Promise<Page<Json>> {
    const page = await this.related.blocked(me, query);
    return this.view.page(page, contextOf(me, query), ({ blockExpiresAt }) => ({ block_expires_at: blockExpiresAt }));
  }

  @Summary('Lists the accounts that the caller mutes, the latest mute first.')
  @Get('mutes')
  @Scopes('follow', 'read:mutes')
  @Answers([MutedAccountShape])
  async mutes(
    @CurrentAccount() me: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
  ): Promise<Page<Json>> {
    const page = await this.related.muted(me, query);
    return this.view.page(page, contextOf(me, query), ({ muteExpiresAt }) => ({ mute_expires_at: muteExpiresAt }));
  }

  @Summary('Lists the accounts that the caller features on the profile.')
  @Get('endorsements')
  @Scopes('read:accounts')
  @Answers([AccountShape])
  async endorsements(
    @CurrentAccount() me: string,
    @Input(RelatedAccountsQuery) query: RelatedAccountsQuery,
  ): Promise<Page<Json>> {
    return this.view.page(await this.related.endorsed(me, query, me), contextOf(me, query));
  }

  @Summary('Lists the domains that the caller blocks, the latest first.')
  @Get('domain_blocks')
  @Scopes('follow', 'read:blocks')
  @Answers([TextShape])
  blockedDomains(@CurrentAccount() me: string, @Input(PageQuery) query: PageQuery): Promise<Page<string>> {
    return this.domains.list(me, query);
  }

  @Summary('Counts the follows that a block of a domain would end.')
  @Get('domain_blocks/preview')
  @Scopes('follow', 'read:blocks')
  @ValidationStatus()
  @Answers(DomainBlockPreviewShape)
  async previewBlock(
    @CurrentAccount() me: string,
    @Input(DomainBody) { domain }: DomainBody,
  ): Promise<Static<typeof DomainBlockPreviewShape>> {
    const { followingCount, followersCount } = await this.domains.preview(me, domain);
    return { following_count: followingCount, followers_count: followersCount };
  }

  @Summary('Blocks a domain for the caller, and ends the follows between the caller and its accounts.')
  @Post('domain_blocks')
  @Scopes('follow', 'write:blocks')
  @ValidationStatus()
  @Answers(NothingShape)
  async blockDomain(@CurrentAccount() me: string, @Input(DomainBody) { domain }: DomainBody): Promise<object> {
    await this.domains.block(me, domain);
    return {};
  }

  @Summary('Unblocks a domain for the caller.')
  @Delete('domain_blocks')
  @Scopes('follow', 'write:blocks')
  @ValidationStatus()
  @Answers(NothingShape)
  async unblockDomain(@CurrentAccount() me: string, @Input(DomainBody) { domain }: DomainBody): Promise<object> {
    await this.domains.unblock(me, domain);
    return {};
  }
}

function contextOf(viewerId: string, { with_relationships }: RelatedAccountsQuery) {
  return { viewerId, withRelationships: with_relationships };
}
