import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, NothingShape, Scopes } from '../../common/index.js';
import type { OlderFilterJson } from './filter.shape.js';
import { olderFilterView } from './filter.view.js';
import { OlderFilterInput } from './filters.dto.js';
import { FiltersService } from './filters.service.js';
import { OlderFilterShape } from './filter.shape.js';

/** `/api/v1/filters` (reference): the caller's filters, each word as a filter of its own. Ids are those of the words. */
@ClientApi('v1', 'filters')
export class OlderFiltersController {
  constructor(private readonly filters: FiltersService) {}

  @Get()
  @Scopes('read:filters')
  @Answers([OlderFilterShape])
  async list(@CurrentAccount() accountId: string): Promise<OlderFilterJson[]> {
    const filters = await this.filters.olderOf(accountId);
    return filters.map(({ filter, keyword }) => olderFilterView(filter, keyword));
  }

  @Post()
  @Scopes('write:filters')
  @Answers(OlderFilterShape)
  async create(
    @CurrentAccount() accountId: string,
    @Input(OlderFilterInput) input: OlderFilterInput,
  ): Promise<OlderFilterJson> {
    return this.one(accountId, await this.filters.createOlder(accountId, input.options()));
  }

  @Get(':id')
  @Scopes('read:filters')
  @Answers(OlderFilterShape)
  async one(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<OlderFilterJson> {
    const { filter, keyword } = await this.filters.older(accountId, id);
    return olderFilterView(filter, keyword);
  }

  @Put(':id')
  @Scopes('write:filters')
  @Answers(OlderFilterShape)
  async update(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(OlderFilterInput) input: OlderFilterInput,
  ): Promise<OlderFilterJson> {
    await this.filters.updateOlder(accountId, id, input.options());
    return this.one(accountId, id);
  }

  @Delete(':id')
  @Scopes('write:filters')
  @Answers(NothingShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.filters.removeOlder(accountId, id);
    return {};
  }
}
