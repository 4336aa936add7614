import { Get } from '@nestjs/common';
import { Public, RootApi, Unavailable } from '../common/index.js';
import { Draining } from '../platform/index.js';
import { HealthService } from './health.service.js';

/** For whatever starts, watches and balances processes. */
@RootApi('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly draining: Draining,
  ) {}

  /** This process answers. */
  @Get('live')
  @Public()
  live() {
    return { status: 'ok' };
  }

  /** This process can do its work: 503 while the database is away, and from the moment on when the process is told to stop. */
  @Get('ready')
  @Public()
  async ready() {
    if (this.draining.hasBegun) throw new Unavailable('The process is about to stop').answer({ status: 'stopping' });
    if (await this.health.isReady()) return { status: 'ok' };
    throw new Unavailable('The database does not answer').answer({ status: 'unavailable' });
  }
}
