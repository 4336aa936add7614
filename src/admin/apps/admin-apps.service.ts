import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { type AppChanges, type ManagedApp, ManagedAppsService } from '../../oauth/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** The actions of administrators on apps (spec §4.1.6). Each change adds an entry to the moderation log. */
@Injectable()
export class AdminAppsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly apps: ManagedAppsService,
    private readonly log: ModerationLogService,
  ) {}

  /** Throws Invalid with a message for each wrong field. */
  create(actor: Actor, changes: AppChanges): Promise<ManagedApp> {
    return this.logged(actor, 'oauth_app_create', () => this.apps.create(changes));
  }

  /** Throws Invalid also when there is no such app. */
  update(actor: Actor, id: string, changes: AppChanges): Promise<ManagedApp> {
    return this.logged(actor, 'oauth_app_update', () => this.apps.update(id, changes));
  }

  /** Throws Invalid when there is no such app. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.logged(actor, 'oauth_app_delete', () => this.apps.delete(id));
  }

  private async logged(
    actor: Actor,
    action: 'oauth_app_create' | 'oauth_app_update' | 'oauth_app_delete',
    write: () => Promise<ManagedApp>,
  ): Promise<ManagedApp> {
    return this.uow
      .run(async () => {
        const app = await write();
        await this.log.record(actor, action, { type: 'app', id: app.id }, { name: app.name });
        return app;
      })
      .catch((error: unknown) => {
        throw error instanceof NotFound ? Invalid.plain('Invalid parameters') : error; // spec §7
      });
  }
}
