import { Injectable } from '@nestjs/common';
import { Handles } from '../../platform/index.js';
import { DeleteInstance, InstanceDeletionService } from './instance-deletion.service.js';

/** Deletes servers in the background. */
@Injectable()
export class InstanceDeletionJobs {
  constructor(private readonly deletion: InstanceDeletionService) {}

  @Handles(DeleteInstance)
  async continue(progress: NonNullable<typeof DeleteInstance.payload>): Promise<void> {
    await this.deletion.continue(progress);
  }
}
