import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { RemoteKeys } from './remote-keys.js';

const DAILY = 24 * 60;

@Injectable()
export class SignaturesJobs {
  constructor(private readonly keys: RemoteKeys) {}

  @Recurs({ job: 'signatures.purge-keys', everyMinutes: DAILY })
  async purgeKeys(): Promise<void> {
    await this.keys.purge();
  }
}
