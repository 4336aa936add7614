import { Delete, Get, Param, Put } from '@nestjs/common';
import { ModeratedAccountsService } from '../../accounts/index.js';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  Json,
  NotFound,
  NothingShape,
  Summary,
} from '../../common/index.js';
import { ModeratedStatusesService } from '../../statuses/index.js';
import { AdminStatusView } from './admin-status.view.js';
import { AdminStatusBody, AdminStatusesQuery, ServerStatusesQuery } from './admin-statuses.dto.js';
import { AdminStatusesService } from './admin-statuses.service.js';
import { AdminStatusShape, ServerStatusesShape } from './admin-statuses.shape.js';

/** `A/statuses` (spec §4.1.1, §4.1.4). */
@AdminApi('statuses')
export class AdminStatusesController {
  constructor(
    private readonly statuses: ModeratedStatusesService,
    private readonly changes: AdminStatusesService,
    private readonly view: AdminStatusView,
  ) {}

  @Summary('Lists posts of all accounts, the latest first.')
  @Get()
  @AdminOnly('admin:read:statuses')
  @Answers([AdminStatusShape])
  async list(@CurrentAuth() actor: Auth, @Input(AdminStatusesQuery) input: AdminStatusesQuery): Promise<Json> {
    const bounds = { ...input.bounds, viewerId: actor.accountId ?? '' };
    const rows = await this.statuses.page(input.filter, input.local_only, bounds);
    return Json.array(await this.view.many(rows, actor));
  }

  @Summary('Shows a post of any account.')
  @Get(':id')
  @AdminOnly('admin:read:statuses')
  @Answers(AdminStatusShape)
  async show(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<Json> {
    const [status] = await this.view.many([await this.statuses.byId(id, actor.accountId ?? '')], actor);
    if (!status) throw new NotFound();
    return status;
  }

  @Summary('Changes the visibility of a post, or marks it as sensitive.')
  @Put(':id')
  @AdminOnly('admin:write:statuses')
  @Answers(AdminStatusShape)
  async change(
    @CurrentAuth() actor: Auth,
    @Param('id') id: string,
    @Input(AdminStatusBody) { sensitive, visibility }: AdminStatusBody,
  ): Promise<Json> {
    await this.changes.change(actor, id, { sensitive, visibility });
    return this.show(actor, id);
  }

  @Summary('Deletes a post of any account.')
  @Delete(':id')
  @AdminOnly('admin:write:statuses')
  @Answers(NothingShape)
  async remove(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<object> {
    await this.changes.delete(actor, id);
    return {};
  }
}

/** `A/instances/:instance/statuses` (spec §4.1.1). */
@AdminApi('instances/:instance/statuses')
export class ServerStatusesController {
  constructor(
    private readonly statuses: ModeratedStatusesService,
    private readonly view: AdminStatusView,
  ) {}

  @Summary('Lists the posts of a server with their total number, the latest first.')
  @Get()
  @AdminOnly('admin:read:statuses')
  @Answers(ServerStatusesShape)
  async list(
    @Param('instance') instance: string,
    @CurrentAuth() actor: Auth,
    @Input(ServerStatusesQuery) input: ServerStatusesQuery,
  ): Promise<Json> {
    const { rows, total } = await this.statuses.pageOfServer(instance, input.filter, {
      ...input.bounds,
      viewerId: actor.accountId ?? '',
    });
    return Json.object({ total, activities: await this.view.many(rows, actor) });
  }
}

/** `A/users/:nickname_or_id/statuses` (spec §4.1.1). */
@AdminApi('users/:nickname_or_id/statuses')
export class UserStatusesController {
  constructor(
    private readonly accounts: ModeratedAccountsService,
    private readonly statuses: ModeratedStatusesService,
    private readonly view: AdminStatusView,
  ) {}

  @Summary('Lists the posts of an account with their total number, the latest first.')
  @Get()
  @AdminOnly('admin:read:statuses')
  @Answers(ServerStatusesShape)
  async list(
    @Param('nickname_or_id') name: string,
    @CurrentAuth() actor: Auth,
    @Input(ServerStatusesQuery) input: ServerStatusesQuery,
  ): Promise<Json> {
    const { id } = await this.accounts.named(name);
    const { rows, total } = await this.statuses.pageOfAuthor(id, input.filter, {
      ...input.bounds,
      viewerId: actor.accountId ?? '',
    });
    return Json.object({ total, activities: await this.view.many(rows, actor) });
  }
}
