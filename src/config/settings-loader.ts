import { Inject, Injectable, Logger } from '@nestjs/common';
import { Bus, ENV, type Env, UnitOfWork } from '../platform/index.js';
import { SETTINGS_CHANGED } from './config.events.js';
import { ConfigRepository } from './config.repository.js';
import { Settings } from './settings.js';
import { snapshotOf } from './snapshot.js';

/** Reads the stored settings into this process' {@link Settings}, at the start and whenever any process changed them. */
@Injectable()
export class SettingsLoader {
  private readonly logger = new Logger(SettingsLoader.name);
  private readonly settings = new Settings();
  private latest: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly repository: ConfigRepository,
    private readonly bus: Bus,
    private readonly uow: UnitOfWork,
  ) {}

  /** The settings, filled; from now on they follow the table. Listens first, so that no change slips in between. */
  async start(): Promise<Settings> {
    if (this.env.configFromDatabase) {
      this.bus.subscribe(SETTINGS_CHANGED, () => this.reload());
      this.bus.onGap(() => this.reload());
      await this.reload();
    }
    return this.settings;
  }

  /** Resolves when every change that was announced to this process holds. */
  settled(): Promise<void> {
    return this.latest;
  }

  /** Reads one after the other: an older answer never replaces a newer one. */
  private reload(): Promise<void> {
    this.latest = this.latest.catch(() => undefined).then(() => this.uow.outside(() => this.read()));
    return this.latest;
  }

  private async read(): Promise<void> {
    const snapshot = snapshotOf(await this.repository.all());
    for (const misfit of snapshot.misfits) this.logger.warn(misfit, 'A stored setting does not fit and is ignored');
    this.settings.replace(snapshot);
  }
}
