import { Get } from '@nestjs/common';
import { Public, RootApi, Unavailable } from '../common/index.js';
import { HealthService } from './health.service.js';

/** For whatever starts, watches and balances processes. */
@RootApi('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** This process answers. */
  @Get('live')
  @Public()
  live() {
    return { status: 'ok' };
  }

  /** This process can do its work: 503 while the database is away. */
  @Get('ready')
  @Public()
  async ready() {
    if (await this.health.isReady()) return { status: 'ok' };
    throw new Unavailable('The database does not answer').answer({ status: 'unavailable' });
  }
}
