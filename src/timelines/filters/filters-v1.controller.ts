import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, NothingShape, Scopes, Summary } from '../../common/index.js';
import type { FilterV1Json } from './filter.shape.js';
import { filterV1View } from './filter.view.js';
import { FilterV1ChangesBody, NewFilterV1Body } from './filters.dto.js';
import { FiltersService } from './filters.service.js';
import { FilterV1Shape } from './filter.shape.js';

/** `/api/v1/filters` (reference): the caller's filters, each word as a filter of its own with the word's id. */
@ClientApi('v1', 'filters')
export class FiltersV1Controller {
  constructor(private readonly filters: FiltersService) {}

  @Summary("Lists the caller's filters, each word as a filter of its own.", { deprecated: true })
  @Get()
  @Scopes('read:filters')
  @Answers([FilterV1Shape])
  async list(@CurrentAccount() accountId: string): Promise<FilterV1Json[]> {
    const filters = await this.filters.olderOf(accountId);
    return filters.map(({ filter, keyword }) => filterV1View(filter, keyword));
  }

  @Summary('Creates a filter of one word.', { deprecated: true })
  @Post()
  @Scopes('write:filters')
  @Answers(FilterV1Shape)
  async create(
    @CurrentAccount() accountId: string,
    @Input(NewFilterV1Body) input: NewFilterV1Body,
  ): Promise<FilterV1Json> {
    return this.one(accountId, await this.filters.createOlder(accountId, input.options()));
  }

  @Summary('Shows a filter of one word.', { deprecated: true })
  @Get(':id')
  @Scopes('read:filters')
  @Answers(FilterV1Shape)
  async one(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<FilterV1Json> {
    const { filter, keyword } = await this.filters.older(accountId, id);
    return filterV1View(filter, keyword);
  }

  @Summary('Changes a filter of one word.', { deprecated: true })
  @Put(':id')
  @Scopes('write:filters')
  @Answers(FilterV1Shape)
  async update(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(FilterV1ChangesBody) input: FilterV1ChangesBody,
  ): Promise<FilterV1Json> {
    await this.filters.updateOlder(accountId, id, input.changes());
    return this.one(accountId, id);
  }

  @Summary('Deletes a filter of one word.', { deprecated: true })
  @Delete(':id')
  @Scopes('write:filters')
  @Answers(NothingShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.filters.removeOlder(accountId, id);
    return {};
  }
}
