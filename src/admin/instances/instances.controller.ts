import { Delete, Param } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, type Auth, CurrentAuth, Json, Summary, TextShape } from '../../common/index.js';
import { InstanceDeletionService } from './instance-deletion.service.js';

/** `A/instances`: other servers (spec §4.1.1). */
@AdminApi('instances')
export class InstancesController {
  constructor(private readonly deletion: InstanceDeletionService) {}

  @Summary('Orders the deletion of all accounts of another server, and of their posts here.')
  @Delete(':instance')
  @AdminOnly('admin:write:accounts')
  @Answers(TextShape)
  async delete(@CurrentAuth() actor: Auth, @Param('instance') instance: string): Promise<Json> {
    return Json.of(await this.deletion.order(actor, instance));
  }
}
