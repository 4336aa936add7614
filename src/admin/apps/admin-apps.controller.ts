import { Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, type Auth, CurrentAuth, Input, Summary } from '../../common/index.js';
import { ManagedAppsService } from '../../oauth/index.js';
import { AdminAppBody, AdminAppsQuery } from './admin-apps.dto.js';
import { AdminAppsService } from './admin-apps.service.js';
import {
  adminAppBody,
  type AdminAppJson,
  AdminAppShape,
  type AdminAppsJson,
  AdminAppsShape,
} from './admin-apps.shape.js';

/** `A/oauth_app` (spec §4.1.6): apps that act for accounts. */
@AdminApi('oauth_app')
export class AdminAppsController {
  constructor(
    private readonly apps: ManagedAppsService,
    private readonly changes: AdminAppsService,
  ) {}

  @Summary('Lists the registered apps.')
  @Get()
  @AdminOnly('admin:write')
  @Answers(AdminAppsShape)
  async list(@Input(AdminAppsQuery) input: AdminAppsQuery): Promise<AdminAppsJson> {
    const { name, client_id: clientId, trusted, page, page_size: size } = input;
    const { apps, count } = await this.apps.page({ name, clientId, trusted }, size, (page - 1) * size);
    return { apps: apps.map(adminAppBody), count, page_size: size };
  }

  @Summary('Registers an app.')
  @Post()
  @AdminOnly('admin:write')
  @Answers(AdminAppShape)
  async create(@CurrentAuth() actor: Auth, @Input(AdminAppBody) { changes }: AdminAppBody): Promise<AdminAppJson> {
    return adminAppBody(await this.changes.create(actor, changes));
  }

  @Summary('Changes an app.')
  @Patch(':id')
  @AdminOnly('admin:write')
  @Answers(AdminAppShape)
  async update(
    @CurrentAuth() actor: Auth,
    @Param('id') id: string,
    @Input(AdminAppBody) { changes }: AdminAppBody,
  ): Promise<AdminAppJson> {
    return adminAppBody(await this.changes.update(actor, id, changes));
  }

  @Summary('Deletes an app and its tokens.')
  @Delete(':id')
  @HttpCode(204)
  @AdminOnly('admin:write')
  remove(@CurrentAuth() actor: Auth, @Param('id') id: string): Promise<void> {
    return this.changes.delete(actor, id);
  }
}
