import { Injectable } from '@nestjs/common';
import { Broadcasts, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { SETTINGS_CHANGED, SettingsChanged, type SettingsMessage } from './config.events.js';

@Injectable()
export class SettingsJobs {
  constructor(private readonly broadcasts: Broadcasts) {}

  /**
   * Every process reads the settings again: at once when the process that changed them says so, and once more when a worker
   * does, since an operator's command sends no messages to other processes.
   */
  @ListensAfterCommit(SettingsChanged)
  @Subscribes(SettingsChanged, { job: 'config.announce', queue: 'stream' })
  announce({ id }: SettingsChanged): Promise<void> {
    const message: SettingsMessage = id === undefined ? {} : { id };
    return this.broadcasts.send(SETTINGS_CHANGED, message);
  }
}
