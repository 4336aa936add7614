import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Bus, ENV, type Env, ReadCaches, ReloadCoordinator, UnitOfWork } from '../../platform/index.js';
import { SETTINGS_CHANGED, type SettingsMessage } from './config.events.js';
import { ConfigRepository } from './config.repository.js';
import { Settings } from './settings.js';
import { SettingsConfirmations } from './settings-confirmations.js';

/** Reads the stored settings into this process' {@link Settings}, at the start and after a change by any process. */
@Injectable()
export class SettingsLoader implements OnModuleDestroy {
  private readonly logger = new Logger(SettingsLoader.name);
  private readonly settings: Settings;
  private following: Promise<void> = Promise.resolve();
  private readonly reloads = new ReloadCoordinator('The settings', () => this.uow.outside(() => this.read()));

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly repository: ConfigRepository,
    private readonly bus: Bus,
    private readonly uow: UnitOfWork,
    private readonly confirmations: SettingsConfirmations,
    private readonly caches: ReadCaches,
  ) {
    this.settings = new Settings({ 'instance.compat_brand': env.brand });
  }

  /** The settings, filled; from now on they follow the table. Subscribes first, so that no change is missed. */
  async start(): Promise<Settings> {
    if (this.env.configFromDatabase) {
      this.bus.subscribe(SETTINGS_CHANGED, (message) => {
        this.following = this.follow(message as SettingsMessage);
        return this.following;
      });
      this.bus.onGap(() => this.reloads.now());
      await this.reloads.now();
    }
    return this.settings;
  }

  /** Waits for a change that is being followed: the pool closes next, and would leave its statements without an answer. */
  async onModuleDestroy(): Promise<void> {
    this.reloads.stop();
    await this.following.catch(() => undefined); // the bus has logged it
  }

  /** Resolves when this process has applied every announced change. */
  settled(): Promise<void> {
    return this.reloads.settled();
  }

  private async follow({ id }: SettingsMessage): Promise<void> {
    await this.reloads.now();
    if (id !== undefined) await this.uow.outside(() => this.confirmations.confirm(id));
  }

  private async read(): Promise<void> {
    const snapshot = this.settings.with(await this.repository.all());
    for (const misfit of snapshot.misfits) this.logger.warn(misfit, 'A stored setting does not fit and is ignored');
    this.settings.replace(snapshot);
    this.caches.clear();
  }
}
