import { Injectable } from '@nestjs/common';
import type { Auth } from '../../common/index.js';
import { type FrontendSource, FrontendsService, type InstalledFrontend } from '../../instance/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** Installs frontends for administrators, each with an entry in the moderation log. */
@Injectable()
export class AdminFrontendsService {
  constructor(
    private readonly frontends: FrontendsService,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
  ) {}

  /**
   * Installs a build, over one of the same version.
   * @throws Invalid when there is no such build, or it is not a frontend
   */
  async install(actor: Auth, source: FrontendSource): Promise<InstalledFrontend> {
    const build = await this.frontends.install(source);
    const subject = { type: 'frontend', id: `${build.name}/${build.ref}` };
    await this.uow.run(() => this.log.record(actor, 'frontend_install', subject));
    return build;
  }
}
