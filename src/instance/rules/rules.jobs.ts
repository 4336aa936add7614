import { Injectable } from '@nestjs/common';
import { Broadcasts, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { RULES_CHANGED } from '../model/instance.channels.js';
import { RulesChanged } from '../model/instance.events.js';

/** Has every process reload the rules. */
@Injectable()
export class RulesJobs {
  constructor(private readonly broadcasts: Broadcasts) {}

  /** Announces at once, and once more from a job process, since operator commands have no bus. */
  @ListensAfterCommit(RulesChanged)
  @Subscribes(RulesChanged, { job: 'instance.announce-rules', queue: 'stream' })
  announce(): Promise<void> {
    return this.broadcasts.send(RULES_CHANGED);
  }
}
