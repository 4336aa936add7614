import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  inOrder,
  Input,
  Invalid,
  type Json,
  NothingShape,
  type Page,
  Scopes,
  Summary,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { AccountsService } from '../core/accounts.service.js';
import { ListView } from './list.view.js';
import { ListBody, ListChangesBody, ListMembersBody, ListMembersQuery } from './lists.dto.js';
import { ListsService } from './lists.service.js';
import { AccountShape } from '../model/account.shape.js';
import { ListShape } from './list.shape.js';

/** `/api/v1/lists` (reference): the caller's lists and their members. */
@ClientApi('v1', 'lists')
export class ListsController {
  constructor(
    private readonly lists: ListsService,
    private readonly view: ListView,
    private readonly accounts: AccountView,
  ) {}

  @Summary("Lists the caller's lists.")
  @Get()
  @Scopes('read:lists')
  @Answers([ListShape])
  async all(@CurrentAccount() me: string): Promise<Json[]> {
    return this.view.many(await this.lists.all(me));
  }

  @Summary('Creates a list.')
  @Post()
  @Scopes('write:lists')
  @Answers(ListShape)
  async create(@CurrentAccount() me: string, @Input(ListBody) input: ListBody): Promise<Json> {
    return this.view.one(await this.lists.create(me, input.changes()));
  }

  @Summary("Shows one of the caller's lists.")
  @Get(':id')
  @Scopes('read:lists')
  @Answers(ListShape)
  async show(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.lists.one(me, id));
  }

  @Summary('Changes a list; only the given fields change.')
  @Put(':id')
  @Scopes('write:lists')
  @Answers(ListShape)
  async update(
    @CurrentAccount() me: string,
    @Param('id') id: string,
    @Input(ListChangesBody) input: ListChangesBody,
  ): Promise<Json> {
    return this.view.one(await this.lists.update(me, id, input.changes()));
  }

  @Summary('Deletes a list; its members stay followed.')
  @Delete(':id')
  @Scopes('write:lists')
  @Answers(NothingShape)
  async remove(@CurrentAccount() me: string, @Param('id') id: string): Promise<object> {
    await this.lists.remove(me, id);
    return {};
  }

  @Summary('Lists the members of a list; a limit of 0 returns all of them.')
  @Get(':id/accounts')
  @Scopes('read:lists')
  @Answers([AccountShape])
  async members(
    @CurrentAccount() me: string,
    @Param('id') id: string,
    @Input(ListMembersQuery) query: ListMembersQuery,
  ): Promise<Page<Json>> {
    const page = await this.lists.members(me, id, query);
    const rendered = await this.accounts.render(page.items, { viewerId: me });
    return page.with(
      inOrder(
        page.items.map((row) => row.id),
        rendered,
      ),
    );
  }

  @Summary('Adds accounts that the caller follows to a list.')
  @Post(':id/accounts')
  @Scopes('write:lists')
  @Answers(NothingShape)
  async add(
    @CurrentAccount() me: string,
    @Param('id') id: string,
    @Input(ListMembersBody) input: ListMembersBody,
  ): Promise<object> {
    await this.lists.addMembers(me, id, given(input));
    return {};
  }

  @Summary('Removes accounts from a list.')
  @Delete(':id/accounts')
  @Scopes('write:lists')
  @Answers(NothingShape)
  async removeMembers(
    @CurrentAccount() me: string,
    @Param('id') id: string,
    @Input(ListMembersBody) input: ListMembersBody,
  ): Promise<object> {
    await this.lists.removeMembers(me, id, given(input));
    return {};
  }
}

/** `/api/v1/accounts/:id/lists` (spec §4.3): the caller's lists that an account is on. */
@ClientApi('v1', 'accounts')
export class AccountListsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly lists: ListsService,
    private readonly view: ListView,
  ) {}

  @Summary("Lists those of the caller's lists that an account is on.")
  @Get(':id/lists')
  @Scopes('read:lists')
  @Answers([ListShape])
  async withAccount(@CurrentAccount() me: string, @Param('id') id: string): Promise<Json[]> {
    const account = await this.accounts.owner(id, me);
    return this.view.many(await this.lists.withMember(me, account.id));
  }
}

function given({ account_ids: ids }: ListMembersBody): string[] {
  if (!ids?.length) throw new Invalid('account_ids is missing');
  return ids;
}
