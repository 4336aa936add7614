import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, NothingShape, Scopes, Summary } from '../../common/index.js';
import type { FilterJson, FilterKeywordJson, FilterStatusJson } from './filter.shape.js';
import { filterView } from './filter.view.js';
import {
  FilterChangesBody,
  FilterStatusBody,
  KeywordChangesBody,
  NewFilterBody,
  NewKeywordBody,
} from './filters.dto.js';
import { FiltersService } from './filters.service.js';
import { FilterKeywordShape, FilterShape, FilterStatusShape } from './filter.shape.js';

/** `/api/v2/filters/keywords|statuses/:id` (reference): words and posts by their own ids. Registered before `/:id`. */
@ClientApi('v2', 'filters')
export class FilterPartsController {
  constructor(private readonly filters: FiltersService) {}

  @Summary('Shows one word of a filter.')
  @Get('keywords/:id')
  @Scopes('read:filters')
  @Answers(FilterKeywordShape)
  keyword(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<FilterKeywordJson> {
    return this.filters.keyword(accountId, id);
  }

  @Summary('Changes a word of a filter.')
  @Put('keywords/:id')
  @Scopes('write:filters')
  @Answers(FilterKeywordShape)
  async updateKeyword(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(KeywordChangesBody) { keyword, whole_word: wholeWord }: KeywordChangesBody,
  ): Promise<FilterKeywordJson> {
    await this.filters.updateKeyword(accountId, id, { keyword, wholeWord });
    return this.filters.keyword(accountId, id);
  }

  @Summary('Removes a word from its filter.')
  @Delete('keywords/:id')
  @Scopes('write:filters')
  @Answers(NothingShape)
  async removeKeyword(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.filters.removeKeyword(accountId, id);
    return {};
  }

  @Summary('Shows one post of a filter.')
  @Get('statuses/:id')
  @Scopes('read:filters')
  @Answers(FilterStatusShape)
  status(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<FilterStatusJson> {
    return this.filters.status(accountId, id);
  }

  @Summary('Removes a post from its filter.')
  @Delete('statuses/:id')
  @Scopes('write:filters')
  @Answers(NothingShape)
  async removeStatus(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.filters.removeStatus(accountId, id);
    return {};
  }
}

/** `/api/v2/filters` (reference): the caller's own, with their words and posts. */
@ClientApi('v2', 'filters')
export class FiltersController {
  constructor(private readonly filters: FiltersService) {}

  @Summary("Lists the caller's filters, with their words and posts.")
  @Get()
  @Scopes('read:filters')
  @Answers([FilterShape])
  async list(@CurrentAccount() accountId: string): Promise<FilterJson[]> {
    return (await this.filters.of(accountId)).map(filterView);
  }

  @Summary('Creates a filter.')
  @Post()
  @Scopes('write:filters')
  @Answers(FilterShape)
  async create(@CurrentAccount() accountId: string, @Input(NewFilterBody) input: NewFilterBody): Promise<FilterJson> {
    return this.one(accountId, await this.filters.create(accountId, input.options()));
  }

  @Summary('Shows one filter.')
  @Get(':id')
  @Scopes('read:filters')
  @Answers(FilterShape)
  async one(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<FilterJson> {
    return filterView(await this.filters.one(accountId, id));
  }

  @Summary('Changes a filter; only the given fields change.')
  @Put(':id')
  @Scopes('write:filters')
  @Answers(FilterShape)
  async update(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(FilterChangesBody) input: FilterChangesBody,
  ): Promise<FilterJson> {
    await this.filters.update(accountId, id, input.changes());
    return this.one(accountId, id);
  }

  @Summary('Deletes a filter with its words and posts.')
  @Delete(':id')
  @Scopes('write:filters')
  @Answers(NothingShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<object> {
    await this.filters.remove(accountId, id);
    return {};
  }

  @Summary('Lists the words of a filter.')
  @Get(':filter_id/keywords')
  @Scopes('read:filters')
  @Answers([FilterKeywordShape])
  async keywords(
    @CurrentAccount() accountId: string,
    @Param('filter_id') id: string,
  ): Promise<readonly FilterKeywordJson[]> {
    return (await this.filters.one(accountId, id)).keywords;
  }

  @Summary('Adds a word to a filter.')
  @Post(':filter_id/keywords')
  @Scopes('write:filters')
  @Answers(FilterKeywordShape)
  async addKeyword(
    @CurrentAccount() accountId: string,
    @Param('filter_id') id: string,
    @Input(NewKeywordBody) { keyword, whole_word: wholeWord }: NewKeywordBody,
  ): Promise<FilterKeywordJson> {
    return this.filters.keyword(accountId, await this.filters.addKeyword(accountId, id, { keyword, wholeWord }));
  }

  @Summary('Lists the posts of a filter.')
  @Get(':filter_id/statuses')
  @Scopes('read:filters')
  @Answers([FilterStatusShape])
  async statuses(
    @CurrentAccount() accountId: string,
    @Param('filter_id') id: string,
  ): Promise<readonly FilterStatusJson[]> {
    return (await this.filters.one(accountId, id)).statuses;
  }

  @Summary('Adds a post to a filter.')
  @Post(':filter_id/statuses')
  @Scopes('write:filters')
  @Answers(FilterStatusShape)
  async addStatus(
    @CurrentAccount() accountId: string,
    @Param('filter_id') id: string,
    @Input(FilterStatusBody) input: FilterStatusBody,
  ): Promise<FilterStatusJson> {
    return this.filters.status(accountId, await this.filters.addStatus(accountId, id, input.required()));
  }
}
