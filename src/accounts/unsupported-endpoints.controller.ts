import { Get, Param } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  AnythingShape,
  ClientApi,
  Described,
  NotFound,
  OptionalAuth,
  Scopes,
  Summary,
  ViewerId,
} from '../common/index.js';
import { AccountsService } from './core/accounts.service.js';

/** The collections of an account (reference); there are none here. */
const CollectionsShape = Type.Object(
  { collections: Described(Type.Array(AnythingShape), 'Collections: always none.') },
  { additionalProperties: false },
);

/** Routes of the reference without a function here (spec §4.3): they return empty lists. */
@ClientApi('v1', '')
export class UnsupportedEndpointsController {
  constructor(private readonly accounts: AccountsService) {}

  @Summary('Lists the identity proofs of an account: always none.')
  @Get('accounts/:id/identity_proofs')
  @Scopes('read:accounts')
  @Answers([AnythingShape])
  identityProofs(@Param('id') id: string, @ViewerId() viewerId?: string): Promise<[]> {
    return this.nothingOf(id, viewerId);
  }

  @Summary('Lists the hashtags that an account features: always none.')
  @Get('accounts/:id/featured_tags')
  @OptionalAuth()
  @Answers([AnythingShape])
  featuredTagsOf(@Param('id') id: string, @ViewerId() viewerId?: string): Promise<[]> {
    return this.nothingOf(id, viewerId);
  }

  @Summary('Lists the collections of an account: always none.')
  @Get('accounts/:id/collections')
  @OptionalAuth()
  @Answers(CollectionsShape)
  async collectionsOf(@Param('id') id: string, @ViewerId() viewerId?: string): Promise<{ collections: [] }> {
    return { collections: await this.nothingOf(id, viewerId) };
  }

  @Get('featured_tags')
  @Scopes('read:accounts')
  featuredTags(): never {
    throw new NotFound('Not implemented');
  }

  @Summary('Lists suggested accounts: always none, version 2 lists them.', { deprecated: true })
  @Get('suggestions')
  @Scopes('read')
  @Answers([AnythingShape])
  suggestions(): [] {
    return [];
  }

  private async nothingOf(id: string, viewerId: string | undefined): Promise<[]> {
    await this.accounts.visible(id, viewerId);
    return [];
  }
}
