import { Get, Param } from '@nestjs/common';
import { ModeratedAccountsService } from '../../accounts/index.js';
import { AdminApi, AdminOnly, Answers, Input, Json, Summary } from '../../common/index.js';
import { AdminUserPageShape, AdminUserShape } from './admin-user.shape.js';
import { AdminUserView } from './admin-user.view.js';
import { UsersQuery } from './users.dto.js';

/** `A/users`: who is there (spec §4.1.1). */
@AdminApi('users')
export class AdminUsersController {
  constructor(
    private readonly accounts: ModeratedAccountsService,
    private readonly view: AdminUserView,
  ) {}

  @Summary('Lists accounts of this and of other servers that match a search.')
  @Get()
  @AdminOnly('admin:read:accounts')
  @Answers(AdminUserPageShape)
  async list(@Input(UsersQuery) query: UsersQuery): Promise<Json> {
    const { page, page_size: size } = query;
    const { accounts, count } = await this.accounts.page(query.search(), size, (page - 1) * size);
    return Json.of({ users: accounts.map((row) => this.view.one(row)), count, page_size: size });
  }

  /** Stands after routes with literal names below `users/`. */
  @Summary('Shows one account, by its id or its nickname.')
  @Get(':nickname_or_id')
  @AdminOnly('admin:read:accounts')
  @Answers(AdminUserShape)
  async show(@Param('nickname_or_id') name: string): Promise<Json> {
    return Json.of(this.view.one(await this.accounts.named(name)));
  }
}
