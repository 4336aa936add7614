import { Get } from '@nestjs/common';
import { Answers, OptionalAuth, Public, RootApi, Summary, SvcApi, Busy } from '../../common/index.js';
import { HostsService } from '../../federation/index.js';
import { Draining, Replicas } from '../../platform/index.js';
import { HealthService } from './health.service.js';
import { HealthcheckService } from './healthcheck.service.js';
import type { FederationStatus, Healthcheck, Readiness } from './healthcheck.shape.js';
import { FederationStatusShape, HealthcheckShape, LivenessShape, ReadinessShape } from './healthcheck.shape.js';

/** Probes for service managers, monitors and load balancers. */
@RootApi('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly draining: Draining,
    private readonly replicas: Replicas,
  ) {}

  @Summary('Shows that the process responds.')
  @Get('live')
  @Public()
  @Answers(LivenessShape)
  live() {
    return { status: 'ok' };
  }

  @Summary('Shows whether the process can work; 503 without a database, and during a shutdown.')
  @Get('ready')
  @Public()
  @Answers(ReadinessShape)
  async ready(): Promise<Readiness> {
    if (this.draining.hasBegun) throw new Busy('The process is about to stop').answer({ status: 'stopping' });
    if (await this.health.isReady()) {
      const storage = await this.health.storageState();
      const replicas = this.replicas.used.map(({ state }) => state);
      return { status: 'ok', ...(storage && { storage }), ...(replicas.length > 0 && { replicas }) };
    }
    throw new Busy('The database does not answer').answer({ status: 'unavailable' });
  }
}

/** The same for administration tools of this kind of server (spec §4.2). */
@SvcApi('')
export class HealthcheckController {
  constructor(
    private readonly healthcheck: HealthcheckService,
    private readonly hosts: HostsService,
  ) {}

  /** 503 with the same body when the server is unhealthy. */
  @Summary('Shows the state of the server; 503 with the same body when it is unhealthy.')
  @Get('healthcheck')
  @Public()
  @Answers(HealthcheckShape)
  async check(): Promise<Healthcheck> {
    const result = await this.healthcheck.examine();
    if (!result.healthy) throw new Busy('The server is not healthy').answer(result);
    return result;
  }

  @Summary('Lists the servers that this one cannot reach.')
  @Get('federation_status')
  @OptionalAuth()
  @Answers(FederationStatusShape)
  async federation(): Promise<FederationStatus> {
    return { unreachable: await this.hosts.unreachable() };
  }
}
