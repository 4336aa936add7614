import { Get } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, Input, Json, Summary } from '../../common/index.js';
import { ModerationLogQuery } from './moderation-log.dto.js';
import { ModerationLogService } from './moderation-log.service.js';
import { ModerationLogShape } from './moderation-log.shape.js';

/** `A/moderation_log` (spec §4.1.5). */
@AdminApi('moderation_log')
export class ModerationLogController {
  constructor(private readonly log: ModerationLogService) {}

  @Summary('Lists the actions of the staff, the latest first.')
  @Get()
  @AdminOnly('admin:read')
  @Answers(ModerationLogShape)
  async list(@Input(ModerationLogQuery) query: ModerationLogQuery): Promise<Json> {
    const { page, page_size: size } = query;
    const { rows, total } = await this.log.page(query.filter(), size, (page - 1) * size);
    const items = rows.map(({ id, data, message, createdAt: at }) => {
      return { id: Number(id), data, time: Math.floor(Date.parse(at) / 1_000), message };
    });
    return Json.of({ items, total });
  }
}
